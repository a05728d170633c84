"""A mailbox over a guarded connection, by IMAPClient: folders, the messages in them, and parts of these."""

import imaplib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import imapclient
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from ingestion.sources.connectors.errors import AccessDenied
from ingestion.sources.connectors.protocol import RemotePlace
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.connection import trusted
from knowledgetree.fetching.errors import BadReply, FetchFailed, FetchRefused, FetchTimeout

_DEFAULT_PORTS: Final = {"imaps": 993, "imap": 143}
_LONGEST: Final = 200_000_000  # bytes of one literal; whoever fetches asks for less
_UIDS: Final = 100_000  # asked for at once: imaplib takes lines of a million characters
_PASSING: Final = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")  # RFC 5530: no word about the password


class Mailbox:
    """One connection, signed in; nothing is ever written, messages stay unread. Raises subclasses of FetchError."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        with translated():
            self._client = _GuardedClient(place.location, guard)
            if not self._client.ssl:
                self._encrypt()
            self._sign_in(place)

    def close(self) -> None:
        with suppress(IMAPClientError, OSError):
            self._client.shutdown()

    def folders(self) -> Sequence[tuple[frozenset[bytes], str, str]]:
        """(flags in small letters, what parts names, name) of each."""
        with translated():
            listed = self._client.list_folders()
        return [
            (frozenset(flag.lower() for flag in flags), (delimiter or b"").decode(), name)
            for flags, delimiter, name in listed
        ]

    def open_folder(self, name: str) -> tuple[int, int]:
        """(UIDVALIDITY, UIDNEXT), for what follows to be about this folder. Raises FolderClosed."""
        with translated():
            try:
                told = self._client.select_folder(name, readonly=True)
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                raise FolderClosed(_("The folder cannot be opened."), detail=str(error)[:200]) from error
            return int(told[b"UIDVALIDITY"]), int(told[b"UIDNEXT"])

    def uids(self, following: int) -> list[int]:
        """Those of the open folder up to the UIDNEXT `following`, but for what is marked as deleted."""
        found: list[int] = []
        with translated():
            for first in range(1, following, _UIDS):
                found += self._client.search(["UID", f"{first}:{first + _UIDS - 1}", "UNDELETED"])
        return sorted(found)

    def fetch(self, uids: Sequence[int], parts: Sequence[str]) -> Mapping[int, Mapping[bytes, Any]]:
        """What is not there any more is left out."""
        with translated():
            found: Mapping[int, Mapping[bytes, Any]] = self._client.fetch(uids, parts)
        return found

    def _encrypt(self) -> None:
        """STARTTLS is waived in a private network alone, where the guard lets only whom an administrator lets."""
        if self._client.has_capability("STARTTLS"):
            self._client.starttls(trusted())
        elif ip_address(self._client.socket().getpeername()[0]).is_global:
            raise NotEncrypted(_("The server does not offer to encrypt the connection; the password was not sent."))

    def _sign_in(self, place: RemotePlace) -> None:
        try:
            # A password in LOGIN is ASCII alone.
            plain = self._client.has_capability("AUTH=PLAIN")
            (self._client.plain_login if plain else self._client.login)(place.user, place.secret)
        except LoginError as error:
            if isinstance(error.__context__, IMAPClientAbortError):  # IMAPClient tells all failures as one
                raise error.__context__ from error
            if any(code in str(error).upper() for code in _PASSING):
                raise FetchFailed(_("The server does not let anybody in at the moment.")) from error
            raise AccessDenied(_("The server refuses the account.")) from error


class NotEncrypted(FetchRefused):
    """Whoever stands between could read the password."""

    code = "not_encrypted"
    remedy = gettext_lazy("Let the location begin with imaps://.")


class FolderClosed(BadReply):
    """A folder that is listed and cannot be opened."""

    code = "folder_closed"
    remedy = AccessDenied.remedy


class _GuardedClient(imapclient.IMAPClient):  # type: ignore[misc]  # it has no types
    def __init__(self, location: str, guard: AddressGuard) -> None:
        parts = urlsplit(location)
        self._guard = guard
        super().__init__(
            parts.hostname or "",
            port=parts.port or _DEFAULT_PORTS[parts.scheme],
            ssl=parts.scheme == "imaps",
            timeout=guard.silence,
        )

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802  (IMAPClient's name)
        return _GuardedIMAP4(self.host, self.port, guard=self._guard, tls=self.ssl)


class _GuardedIMAP4(imaplib.IMAP4):
    def __init__(self, host: str, port: int, *, guard: AddressGuard, tls: bool) -> None:
        self._guard, self._tls = guard, tls
        super().__init__(host, port)

    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        self.host, self.port = host, port
        opened = self._guard.connect(host, port)
        self.sock = trusted().wrap_socket(opened, server_hostname=host) if self._tls else opened
        self.file = self.sock.makefile("rb")

    def read(self, size: int) -> bytes:
        if size > _LONGEST:
            raise self.abort("too long a literal")
        return super().read(size)


@contextmanager
def translated() -> Iterator[None]:
    """What imaplib and IMAPClient raise as errors of ours."""
    try:
        yield
    except TimeoutError as error:
        raise FetchTimeout(_("The server did not answer in time.")) from error
    except (IMAPClientAbortError, OSError) as error:
        raise FetchFailed(_("The server cannot be reached or broke off.")) from error
    except (IMAPClientError, ValueError, KeyError, IndexError, TypeError, AssertionError) as error:
        raise BadReply(_("The server does not answer as IMAP does."), detail=str(error)[:200]) from error
