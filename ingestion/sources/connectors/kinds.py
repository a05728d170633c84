"""The kinds of places that connectors read, as the settings, the forms and `doctor` need to know them."""

from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from ingestion.sources.connectors import confluence, eli, git, imap, microsoft365, s3, sftp, smb, webdav
from ingestion.sources.connectors.declaration import ConnectorKind
from ingestion.sources.connectors.errors import PackageMissing
from ingestion.sources.connectors.protocol import Connector, RemotePlace
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchRefused

KINDS: Final[Mapping[str, ConnectorKind]] = {
    "confluence": confluence.KIND,
    "eli": eli.KIND,
    "git": git.KIND,
    "imap": imap.KIND,
    "microsoft365": microsoft365.KIND,
    "s3": s3.KIND,
    "sftp": sftp.KIND,
    "smb": smb.KIND,
    "webdav": webdav.KIND,
}
"""By `Source.kind`."""


def open_connector(kind: str, place: RemotePlace, guard: AddressGuard) -> Connector:
    """Raises PackageMissing, and FetchRefused for an address that is none of this kind."""
    declared = KINDS[kind]
    check_address(kind, place)
    if missing := missing_packages(kind):
        raise PackageMissing(_("The package %(name)s is missing.") % {"name": missing[0]})
    connector: Any = import_string(declared.connector)
    opened: Connector = connector(place, guard)
    return opened


NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: kind.packages for name, kind in KINDS.items()},
    "feed": ("feedparser",),
}
"""What kinds of sources are read with, by `Source.kind`: packages of the extra `connectors`."""


def missing_packages(kind: str) -> Sequence[str]:
    """What this kind is read with and is not installed."""
    return [package for package in NEEDED[kind] if find_spec(package) is None]


def guard_of(kind: str, *, networks: Sequence[str] = (), ports: Collection[int] = ()) -> AddressGuard:
    """`networks` are those that an administrator allows for this source, `ports` those of other web addresses."""
    return AddressGuard(ports={*KINDS[kind].ports, *ports}, networks=networks)


def check_address(kind: str, place: RemotePlace) -> None:
    """Raises FetchRefused, naming what is wrong with the location."""
    declared = KINDS[kind]
    parts = _parts(place.location)
    if parts.scheme not in declared.schemes or not parts.netloc:
        raise FetchRefused(
            _("This is no address of this kind."),
            remedy=_("Write it as here: %(example)s") % {"example": declared.example},
        )
    if "@" in parts.netloc:
        raise FetchRefused(
            _("An address with a user name or a password is not fetched."),
            remedy=_("Write the name and the password into their own fields."),
        )


def server_of(kind: str, place: RemotePlace) -> str:
    """Scheme, host and port of whom a secret is sent to; a stored secret stays with it."""
    host, port = host_and_port(kind, place)
    return f"{_parts(_address(kind, place)).scheme}://{host}:{port}"


def host_and_port(kind: str, place: RemotePlace) -> tuple[str, int]:
    """Raises FetchRefused for what is no address."""
    parts = _parts(_address(kind, place))
    try:
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError as error:
        raise FetchRefused(_("This is no web address.")) from error
    return host, port or KINDS[kind].default_port(parts.scheme)


def _address(kind: str, place: RemotePlace) -> str:
    declared = KINDS[kind]
    return place.settings.get(declared.server_setting, "") or declared.usual_server or place.location


def _parts(address: str) -> Any:
    try:
        return urlsplit(address.strip())
    except ValueError as error:
        raise FetchRefused(_("This is no web address.")) from error
