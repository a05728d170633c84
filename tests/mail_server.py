"""A mailbox on this machine: Dovecot, as nobody's service, with one account."""

import email.policy
import imaplib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.installation import free_port, is_open, wait_until

ACCOUNT, PASSWORD = "kadry@example.pl", "tajne hasło"
_ME = pwd.getpwuid(os.getuid())
# Started by root it has users of its own, which its package made, and reads mail as nobody.
_OWNER = pwd.getpwnam("nobody") if _ME.pw_uid == 0 else _ME
_USERS = f"default_internal_user = {_ME.pw_name}\ndefault_login_user = {_ME.pw_name}"

_CONFIGURATION = """
protocols = imap
listen = 127.0.0.1
base_dir = {base}/run
state_dir = {base}/run/state
{users}
log_path = {base}/log
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
first_valid_uid = 0
mail_location = mdbox:{base}/mail
mail_fsync = never
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {base}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/home
}}
namespace inbox {{
  inbox = yes
  separator = .
  mailbox Kosz {{
    auto = create
    special_use = \\Trash
  }}
}}
mail_max_userip_connections = 0
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service imap {{
  service_count = 0
  process_min_avail = 2
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


class MailServer:
    """`port` is that of IMAP without TLS. Folders are told with `/` and made where they are missing."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._client = imaplib.IMAP4("127.0.0.1", port)
        self._client.authenticate("PLAIN", lambda _challenge: f"\0{ACCOUNT}\0{PASSWORD}".encode())

    @property
    def location(self) -> str:
        return f"imap://127.0.0.1:{self.port}/"

    def deliver(self, message: EmailMessage, *, folder: str = "INBOX") -> None:
        name = self._name(folder)
        self._client.create(name)
        content = message.as_bytes(policy=email.policy.SMTP)
        status, said = self._client.append(name, "", imaplib.Time2Internaldate(0), content)
        assert status == "OK", said

    def mark_deleted(self, subject: str, *, folder: str = "INBOX", expunge: bool = True) -> None:
        """The messages with this in their subject."""
        self._client.select(self._name(folder))
        _status, found = self._client.search(None, "SUBJECT", f'"{subject}"')
        for number in found[0].split():
            self._client.store(number, "+FLAGS", "\\Deleted")
        if expunge:
            self._client.expunge()
        self._client.unselect()

    def drop_folder(self, folder: str) -> None:
        self._client.delete(self._name(folder))

    def rename_folder(self, folder: str, to: str) -> None:
        self._client.rename(self._name(folder), self._name(to))

    def empty(self) -> None:
        """The folders that there are at the beginning, with nothing in them."""
        _status, listed = self._client.list()
        names = sorted(
            (line.decode().split()[-1].strip('"') for line in listed if isinstance(line, bytes)), reverse=True
        )
        for name in names:
            if name not in {"INBOX", "Kosz"}:
                self._client.delete(name)
        for name in ("INBOX", "Kosz"):
            self._client.select(name)
            if self._client.search(None, "ALL")[1][0]:
                self._client.store("1:*", "+FLAGS", "\\Deleted")
                self._client.expunge()
            self._client.unselect()

    def seen(self, folder: str = "INBOX") -> int:
        self._client.select(self._name(folder), readonly=True)
        _status, found = self._client.search(None, "SEEN")
        self._client.unselect()
        return len(found[0].split())

    def _name(self, folder: str) -> str:
        import imapclient.imap_utf7

        encoded = imapclient.imap_utf7.encode(folder.replace("/", ".")).decode()
        return f'"{encoded}"'


def message(subject: str, text: str, *, answers: str = "", identifier: str = "") -> EmailMessage:
    """`answers` and `identifier` are Message-IDs without their brackets."""
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, "Anna <anna@example.pl>", ACCOUNT
    made["Date"] = "Mon, 02 Mar 2026 10:00:00 +0100"
    if identifier:
        made["Message-ID"] = f"<{identifier}>"
    if answers:
        made["References"] = f"<{answers}>"
    made.set_content(text)
    return made


@contextmanager
def running_mail_server() -> Iterator[MailServer]:
    """Skips the test where Dovecot is not installed."""
    pytest.importorskip("imapclient", reason="IMAPClient is not installed")
    program = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip("there is no Dovecot on this machine")
    with tempfile.TemporaryDirectory(prefix="poczta") as folder:
        base, port = Path(folder), free_port()
        base.chmod(0o755)  # its processes have other users than this one
        (base / "users").write_text(f"{ACCOUNT}:{PASSWORD}\n")
        for name in ("mail", "home"):
            (base / name).mkdir()
            os.chown(base / name, _OWNER.pw_uid, _OWNER.pw_gid)
        users = _USERS if _ME.pw_uid else ""
        told = _CONFIGURATION.format(base=base, users=users, uid=_OWNER.pw_uid, gid=_OWNER.pw_gid, port=port)
        (base / "dovecot.conf").write_text(told)
        process = subprocess.Popen([program, "-F", "-c", str(base / "dovecot.conf")], stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: is_open(port) or process.poll() is not None)
            if process.poll() is not None:
                pytest.skip(f"Dovecot does not start: {(base / 'log').read_text()[-300:]}")
            yield MailServer(port)
        finally:
            process.terminate()
            process.wait()
