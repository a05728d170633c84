"""Samba on 127.0.0.1, a server of the tests' own: it lets in whoever runs them, by a password."""

import getpass
import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.installation import free_port, is_open, wait_until

PASSWORD = "tajne hasło"
_CONFIGURATION = """
[global]
netbios name = BAZA
workgroup = FIRMA
server role = standalone server
interfaces = 127.0.0.1/8
bind interfaces only = yes
smb ports = {port}
disable netbios = yes
lock directory = {home}/state
state directory = {home}/state
cache directory = {home}/state
pid directory = {home}/state
private dir = {home}/state
ncalrpc dir = {home}/state/ncalrpc
passdb backend = tdbsam:{home}/state/passdb.tdb
map to guest = never
load printers = no
disable spoolss = yes
printcap name = /dev/null
server min protocol = SMB2
server signing = mandatory
server smb encrypt = {encrypt}

[dane]
path = {home}/dane
read only = no
vfs objects = acl_xattr
acl_xattr:ignore system acls = yes
acl_xattr:security_acl_name = user.NTACL

[drzewo]
path = {home}/dane
msdfs root = yes
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SMBServer:
    """`folder` is what the share `dane` has, and `drzewo`, a root of DFS; `account` may do everything there."""

    port: int
    account: str
    folder: Path

    def write(self, path: str, content: bytes) -> None:
        """As programs do that have it as a network drive: only then does Samba keep when the file came to be."""
        from smbprotocol.open import CreateDisposition, FilePipePrinterAccessMask

        with self._opened(path, FilePipePrinterAccessMask.FILE_WRITE_DATA, CreateDisposition.FILE_OPEN_IF) as file:
            file.write(content)

    def protect(self, path: str, rights: bytes) -> None:
        """Give a file this security descriptor."""
        from smbprotocol.file_info import InfoType
        from smbprotocol.open import (
            CreateDisposition,
            FilePipePrinterAccessMask,
            InfoAdditionalInformation,
            SMB2SetInfoRequest,
        )

        asked = SMB2SetInfoRequest()
        asked["info_type"] = InfoType.SMB2_0_INFO_SECURITY
        asked["additional_information"] = InfoAdditionalInformation.DACL_SECURITY_INFORMATION
        asked["buffer"] = rights
        with self._opened(path, FilePipePrinterAccessMask.WRITE_DAC, CreateDisposition.FILE_OPEN) as file:
            asked["file_id"] = file.file_id
            session = file.tree_connect.session
            sent = file.connection.send(asked, session.session_id, file.tree_connect.tree_connect_id)
            file.connection.receive(sent)

    @contextmanager
    def _opened(self, path: str, access: int, disposition: int) -> Iterator[Any]:
        from smbprotocol.connection import Connection
        from smbprotocol.open import CreateOptions, ImpersonationLevel, Open
        from smbprotocol.session import Session
        from smbprotocol.tree import TreeConnect

        connection = Connection(uuid.uuid4(), "127.0.0.1", self.port)
        connection.connect()
        session = Session(connection, self.account, PASSWORD, require_encryption=False, auth_protocol="ntlm")
        session.connect()
        tree = TreeConnect(session, r"\\127.0.0.1\dane")
        tree.connect()
        file = Open(tree, path.replace("/", "\\"))
        file.create(ImpersonationLevel.Impersonation, access, 0, 7, disposition, CreateOptions.FILE_NON_DIRECTORY_FILE)
        yield file
        connection.disconnect()

    def location(self, below: str = "", *, port: int | None = None, share: str = "dane") -> str:
        return f"smb://127.0.0.1:{port or self.port}/{share}/{below}"


def descriptor(*entries: tuple[str, str, int, int]) -> bytes:
    """A security descriptor of these entries: ("allow" or "deny", SID, rights, flags)."""
    from smbprotocol.security_descriptor import AccessAllowedAce, AccessDeniedAce, AclPacket, SIDPacket
    from smbprotocol.security_descriptor import SMB2CreateSDBuffer as SecurityDescriptor

    listed = []
    for kind, name, mask, flags in entries:
        entry, sid = AccessAllowedAce() if kind == "allow" else AccessDeniedAce(), SIDPacket()
        sid.from_string(name)
        entry["mask"], entry["ace_flags"], entry["sid"] = mask, flags, sid
        listed.append(entry)
    acl, whole = AclPacket(), SecurityDescriptor()
    acl["aces"] = listed
    whole["control"].set_flag(0x8000)  # self-relative
    whole.set_dacl(acl)
    return bytes(whole.pack())


@contextmanager
def running_smb(home: Path, *, encrypts: bool = True) -> Iterator[SMBServer]:
    """Skips the test where there is no Samba on this machine, or no client for it."""
    pytest.importorskip("smbprotocol", reason="the extra `connectors` is not installed")
    path = f"{os.environ['PATH']}:/usr/sbin"
    smbd, pdbedit = shutil.which("smbd", path=path), shutil.which("pdbedit", path=path)
    if smbd is None or pdbedit is None:
        pytest.skip("there is no Samba on this machine")
    if not any(Path("/usr/lib").glob("**/samba/vfs/acl_xattr.so")):
        pytest.skip("this Samba keeps no rights of Windows: the package samba-vfs-modules is not installed")
    port, account, configuration = free_port(), getpass.getuser(), home / "smb.conf"
    for folder in ("state", "dane"):
        (home / folder).mkdir()
    encrypt = "if_required" if encrypts else "off"
    configuration.write_text(_CONFIGURATION.format(home=home, port=port, encrypt=encrypt))
    adding = [pdbedit, "-s", str(configuration), "-a", "-t", "-u", account]
    subprocess.run(adding, check=True, input=f"{PASSWORD}\n" * 2, text=True, capture_output=True)
    command = [smbd, "--foreground", "--no-process-group", f"--configfile={configuration}", f"--log-basename={home}"]
    # When it ends it ends all of its group.
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        wait_until(lambda: is_open(port) or process.poll() is not None)
        assert process.poll() is None, (home / "log.smbd").read_text()
        yield SMBServer(port=port, account=account, folder=home / "dane")
    finally:
        process.terminate()
        process.wait()
