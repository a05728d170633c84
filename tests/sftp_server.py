"""SSH servers of the tests' own on 127.0.0.1, for SFTP alone: OpenSSH, which lets in whoever runs them, by a key, and
paramiko's, which lets in by a password: OpenSSH would ask the machine for that of a real account.
"""

import getpass
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.installation import free_port, is_open, wait_until

_CONFIGURATION = """
ListenAddress 127.0.0.1
Port {port}
HostKey {home}/host
PidFile none
AuthorizedKeysFile {home}/account.pub
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication yes
MaxStartups 100
Subsystem sftp internal-sftp
ForceCommand internal-sftp
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SFTPServer:
    """`key` is the private key of `account`, `fingerprint` that of the server's key. All files are open to it."""

    port: int
    account: str
    key: str
    fingerprint: str


@contextmanager
def running_sftp(home: Path) -> Iterator[SFTPServer]:
    """Skips the test where there is no OpenSSH server on this machine, or no client for it."""
    pytest.importorskip("paramiko", reason="the extra `connectors` is not installed")
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("there is no OpenSSH server on this machine")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # where a server of root keeps nothing
    for name in ("host", "account"):
        keygen = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(home / name)]
        subprocess.run(keygen, check=True, stdin=subprocess.DEVNULL)
    port = free_port()
    (home / "sshd_config").write_text(_CONFIGURATION.format(port=port, home=home))
    process = subprocess.Popen([program, "-D", "-f", str(home / "sshd_config"), "-E", str(home / "log")])
    try:
        wait_until(lambda: is_open(port) or process.poll() is not None)
        assert process.poll() is None, (home / "log").read_text()
        told = subprocess.run(["ssh-keygen", "-lf", str(home / "host.pub")], check=True, capture_output=True, text=True)
        yield SFTPServer(
            port=port, account=getpass.getuser(), key=(home / "account").read_text(), fingerprint=told.stdout.split()[1]
        )
    finally:
        process.terminate()
        process.wait()


ACCOUNT, PASSWORD = "baza", "tajne hasło"


@contextmanager
def running_sftp_by_password(folder: Path, *, wants_more: bool = False) -> Iterator[tuple[int, str]]:
    """(port, fingerprint) of one that shows `folder` as its root; `wants_more` than the right password before that."""
    paramiko = pytest.importorskip("paramiko", reason="the extra `connectors` is not installed")

    class Doorkeeper(paramiko.ServerInterface):  # type: ignore[misc, name-defined]
        def check_auth_password(self, username: str, password: str) -> int:
            if (username, password) != (ACCOUNT, PASSWORD):
                return int(paramiko.AUTH_FAILED)
            return int(paramiko.AUTH_PARTIALLY_SUCCESSFUL if wants_more else paramiko.AUTH_SUCCESSFUL)

        def check_channel_request(self, kind: str, chanid: int) -> int:
            return int(paramiko.OPEN_SUCCEEDED)

    class Files(paramiko.SFTPServerInterface):  # type: ignore[misc, name-defined]
        def list_folder(self, path: str) -> list[object]:
            return [paramiko.SFTPAttributes.from_stat(one.stat(), one.name) for one in folder.iterdir()]

    key = paramiko.ECDSAKey.generate()
    opened: list[paramiko.Transport] = []

    def accept(server: socket.socket) -> None:
        with suppress(OSError):
            while True:
                transport = paramiko.Transport(server.accept()[0])
                transport.add_server_key(key)
                transport.set_subsystem_handler("sftp", paramiko.SFTPServer, Files)
                transport.start_server(server=Doorkeeper(), event=threading.Event())
                opened.append(transport)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, args=(server,), daemon=True).start()
        yield int(server.getsockname()[1]), key.fingerprint
        server.shutdown(socket.SHUT_RDWR)
        for transport in opened:
            transport.close()
