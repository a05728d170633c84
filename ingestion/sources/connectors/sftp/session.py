"""A signed-in SFTP session with a server whose key is the one that was confirmed."""

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, ENOENT
from typing import Final

import paramiko
from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import AccessDenied, ItemVanished
from ingestion.sources.connectors.pem import pem_blocks
from ingestion.sources.connectors.protocol import RemotePlace
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchFailed, FetchRefused, FetchTimeout

_KEY_TYPES: Final = (paramiko.Ed25519Key, paramiko.ECDSAKey, paramiko.RSAKey)

logging.getLogger("paramiko").setLevel(logging.CRITICAL)  # what goes wrong is raised; its log has it once more


def open_session(place: RemotePlace, guard: AddressGuard, host: str, port: int) -> paramiko.SFTPClient:
    """Raises FetchRefused for a server whose key is another one or was not confirmed: it gets no password."""
    with translated():
        transport = paramiko.Transport(guard.connect(host, port))
        transport.banner_timeout = transport.handshake_timeout = transport.auth_timeout = guard.silence
        transport.channel_timeout = guard.silence
        try:
            transport.start_client(timeout=guard.silence)
            _confirm(transport.get_remote_server_key().fingerprint, place.settings.get("host_key", ""))
            _sign_in(transport, place)
            session = paramiko.SFTPClient.from_transport(transport)
            session.get_channel().settimeout(guard.silence)
        except BaseException:
            transport.close()
            raise
    return session


@contextmanager
def translated() -> Iterator[None]:
    """What paramiko raises as errors of ours."""
    try:
        yield
    except TimeoutError as error:
        raise FetchTimeout(_("The server did not send everything in time.")) from error
    except OSError as error:
        if error.errno == ENOENT:
            raise ItemVanished(_("The server has no such file.")) from error
        if error.errno == EACCES:
            raise AccessDenied(_("The account may not read there.")) from error
        raise FetchFailed(_("The server cannot be reached or broke off."), detail=str(error)[:200]) from error
    except (paramiko.SSHException, EOFError) as error:
        raise FetchFailed(_("The server cannot be reached or broke off."), detail=str(error)[:200]) from error
    except (ValueError, ArithmeticError, LookupError) as error:  # of paramiko, by packets and names that are none
        raise BadReply(_("The server does not answer as SFTP does.")) from error


def _confirm(shown: str, confirmed: str) -> None:
    if not confirmed:
        raise FetchRefused(
            _("Nobody has confirmed the key of this server yet: %(key)s.") % {"key": shown},
            remedy=_("Compare it with the one that its administrator gives, and enter it as the key of the server."),
        )
    if shown not in re.split(r"[\s,]+", confirmed):
        raise FetchRefused(
            _("The server shows another key than the one that was confirmed: %(key)s.") % {"key": shown},
            remedy=_("Ask its administrator whether the key was changed; until then nothing is sent there."),
        )


def _sign_in(transport: paramiko.Transport, place: RemotePlace) -> None:
    """A connection that breaks off while it signs in is reported by paramiko as a refusal, which it is not."""
    try:
        if key := _private_key(place.secret):
            transport.auth_publickey(place.user, key)
        else:
            transport.auth_password(place.user, place.secret)
    except paramiko.AuthenticationException as error:
        if not transport.is_active():
            raise FetchFailed(_("The server cannot be reached or broke off.")) from error
        raise AccessDenied(_("The server refuses the account.")) from error
    if not transport.is_authenticated():
        raise AccessDenied(_("The server wants more than this password or key, such as a code from a telephone."))


def _private_key(secret: str) -> paramiko.PKey | None:
    """None where it is a password."""
    if not (blocks := pem_blocks(secret)):
        return None
    _label, written = blocks[0]
    for key_type in _KEY_TYPES:
        try:
            return key_type.from_private_key(io.StringIO(written))
        except paramiko.PasswordRequiredException as error:
            raise AccessDenied(_("The private key is locked with a passphrase.")) from error
        except (paramiko.SSHException, ValueError, LookupError):
            continue
    raise AccessDenied(_("The private key cannot be read."))
