"""A share that an account is signed in to, over a guarded connection, by smbprotocol.

Not by its `smbclient`, which follows referrals to other servers (DFS) and keeps connections for everybody.
"""

import logging
import struct
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from django.utils.translation import gettext as _
from smbprotocol.connection import Connection
from smbprotocol.exceptions import SMBAuthenticationError, SMBException, SMBResponseException
from smbprotocol.header import Commands, NtStatus
from smbprotocol.session import Session
from smbprotocol.transport import Tcp
from smbprotocol.tree import TreeConnect

from ingestion.sources.connectors.errors import AccessDenied, ItemVanished
from ingestion.sources.connectors.protocol import RemotePlace
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchFailed, FetchTimeout

_NOT_THERE: Final = {
    NtStatus.STATUS_OBJECT_NAME_NOT_FOUND, NtStatus.STATUS_OBJECT_PATH_NOT_FOUND, NtStatus.STATUS_NO_SUCH_FILE,
    NtStatus.STATUS_NOT_FOUND, NtStatus.STATUS_DELETE_PENDING,
    NtStatus.STATUS_NOT_A_DIRECTORY, NtStatus.STATUS_FILE_IS_A_DIRECTORY,
}  # fmt: skip
_ELSEWHERE: Final = {NtStatus.STATUS_PATH_NOT_COVERED, NtStatus.STATUS_STOPPED_ON_SYMLINK}
_REFUSED: Final = {
    NtStatus.STATUS_LOGON_FAILURE, NtStatus.STATUS_WRONG_PASSWORD, NtStatus.STATUS_PASSWORD_EXPIRED,
    0xC000006E, 0xC000006F, 0xC0000070,  # restricted: for this account, at this hour, from this machine
    0xC0000072, 0xC0000193, 0xC0000224, 0xC0000234,  # disabled, expired, wants another password, locked out
    0xC000015B, 0xC0000418,  # may not sign in by network, or not by NTLM
}  # fmt: skip

logging.getLogger("smbprotocol").setLevel(logging.CRITICAL)  # what goes wrong is raised; its log has it once more


class GuardedConnection(Connection):  # type: ignore[misc]  # it has no types
    """Goes where its guard allows, waits for no answer longer than the guard says, follows no link, and believes no
    answer to an account that is signed in but one that is encrypted or signed (MS-SMB2 3.2.5.1.3).
    """

    def __init__(self, guard: AddressGuard, host: str, port: int) -> None:
        self._guard = guard
        super().__init__(uuid.uuid4(), host, port, require_signing=True)

    @property
    def transport(self) -> Any:
        return self._transport

    @transport.setter
    def transport(self, made: Tcp | None) -> None:
        """The library makes one that looks up names itself."""
        self._transport = made and _GuardedTcp(self._guard, made)

    def receive(
        self, request: Any, wait: bool = True, timeout: int | None = None, resolve_symlinks: bool = True
    ) -> Any:
        try:
            return super().receive(request, wait, timeout or self._guard.silence, resolve_symlinks=False)
        except SMBException as error:
            if request.response_event.is_set():
                raise
            raise FetchTimeout(_("The server did not answer in time.")) from error

    def verify_signature(self, header: Any, session_id: int, force: bool = False) -> None:
        signed_in = session_id in self.session_table
        interim = header["status"].get_value() == NtStatus.STATUS_PENDING
        setting_up = header["command"].get_value() == Commands.SMB2_SESSION_SETUP
        super().verify_signature(header, session_id, force or (signed_in and not interim and not setting_up))


class _GuardedTcp(Tcp):  # type: ignore[misc]
    def __init__(self, guard: AddressGuard, made: Tcp) -> None:
        super().__init__(made.server, made.port, made.timeout)
        self._guard = guard

    def connect(self) -> None:
        self._sock = self._guard.connect(self.server, self.port)
        self.connected = True

    def _recv(self, length: int, timeout: float) -> Any:
        """Memory is made ready for as much as the server announces."""
        if length > self.MAX_SIZE:
            raise BadReply(_("The server does not answer as SMB does."))
        return super()._recv(length, timeout)


def open_share(place: RemotePlace, guard: AddressGuard, host: str, port: int, share: str) -> TreeConnect:
    """Encrypted where the server offers it, else signed. Raises AccessDenied, FetchFailed, what the guard raises."""
    connection = GuardedConnection(guard, host, port)
    with translated():
        try:
            connection.connect(timeout=guard.silence)
            tree = TreeConnect(_signed_in(connection, place), rf"\\{host}\{share}")
            tree.connect()
        except BaseException:
            close(connection)
            raise
    return tree


def close(connection: GuardedConnection) -> None:
    """Without taking leave, which a server that is silent would make us wait for."""
    if connection.transport is not None:
        connection.transport.close()


@contextmanager
def translated() -> Iterator[None]:
    """What smbprotocol raises as errors of ours."""
    try:
        yield
    except SMBResponseException as error:
        raise _meaning(error.status) from error
    except SMBAuthenticationError as error:
        raise AccessDenied(_("The server refuses the account.")) from error
    except (SMBException, OSError) as error:
        raise FetchFailed(_("The server cannot be reached or broke off."), detail=str(error)[:200]) from error
    except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError, struct.error, InvalidTag) as error:
        raise BadReply(_("The server does not answer as SMB does.")) from error


def _meaning(status: int) -> Exception:
    if status in _NOT_THERE:
        return ItemVanished(_("The server has no such file."))
    if status == NtStatus.STATUS_BAD_NETWORK_NAME:
        return FetchFailed(_("The server has no such share."))
    if status == NtStatus.STATUS_ACCESS_DENIED:
        return AccessDenied(_("The account may not read there."))
    if status in _REFUSED:
        return AccessDenied(_("The server refuses the account."))
    if status in _ELSEWHERE:
        return BadReply(
            _("What is there lies on another server."), remedy=_("Make a source of its own of the server that has it.")
        )
    return FetchFailed(_("The server answered %(status)s.") % {"status": f"0x{status:08x}"})


def _signed_in(connection: GuardedConnection, place: RemotePlace) -> Session:
    """By NTLM: what Kerberos would ask, it would ask servers that no guard has looked at."""
    domain = place.settings.get("domain", "")
    session = Session(
        connection,
        rf"{domain}\{place.user}" if domain else place.user,
        place.secret,
        require_encryption=bool(connection.supports_encryption),
        auth_protocol="ntlm",
    )
    try:
        session.connect()
    except SMBException as error:
        if type(error) is not SMBException:
            raise
        raise AccessDenied(_("The server lets the account in without a signature alone, such as a guest.")) from error
    return session
