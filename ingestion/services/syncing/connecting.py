"""The connector of a source, as its row, the settings and the environment want it."""

from django.utils.translation import gettext as _

from ingestion.errors import SourceRefused
from ingestion.models import Source
from ingestion.sources.connectors import (
    KINDS,
    Connector,
    ReadingOptions,
    RemotePlace,
    check_address,
    guard_of,
    host_and_port,
    open_connector,
    server_of,
)
from knowledgetree.conf import rag_settings
from knowledgetree.encryption import decrypt_secret
from knowledgetree.fetching import AddressGuard

KEY = "key"
"""Under this name `Source.options` of a connector has the name of a secret of the environment."""


def connect_source(source: Source) -> Connector:
    """Raises SourceRefused for a secret that is not there, FetchError for an address that is none of this kind, and
    UndecipherableSecret.
    """
    return open_connector(source.kind, place_of(source, secret=secret_of(source)), _guard(source))


def check_place(source: Source) -> None:
    """Raises FetchError for an address that is none of this kind, or a server that may not be reached or is unknown."""
    place = place_of(source)
    check_address(source.kind, place)
    _guard(source).addresses(*host_and_port(source.kind, place))


def check_source(source: Source) -> None:
    """Look whether the place can be listed with its account. Raises SourceRefused for kinds without a connector, and
    what `connect_source` and the connector raise.
    """
    if source.kind not in KINDS:
        raise SourceRefused(_("Only places that are listed can be tried; this source is known by reading it."))
    connect_source(source).check()


def place_of(source: Source, *, secret: str = "") -> RemotePlace:
    settings = {name: str(value) for name, value in source.options.items() if name != KEY}
    return RemotePlace(location=source.location, settings=settings, secret=secret, mirrors=mirrors_rights(source))


def secret_of(source: Source) -> str:
    """The one of the environment that the source names, else the one that was entered for it, else ""."""
    if name := source.options.get(KEY, ""):
        return _environment_secret(source, name)
    return decrypt_secret(source.encrypted_secret) if source.encrypted_secret else ""


def reading_options(source: Source) -> ReadingOptions:
    return ReadingOptions(
        location=source.location,
        include=tuple(source.include),
        exclude=tuple(source.exclude),
        max_bytes=rag_settings().ingestion.max_bytes,
        mirrors=mirrors_rights(source),
        earlier=rag_settings().ingestion.kept_versions,
    )


def kept_cursor(cursor: str) -> str:
    """What is kept of where the next listing begins: it counts for the limit of sizes that files were refused by."""
    return f"{rag_settings().ingestion.max_bytes} {cursor}" if cursor else ""


def cursor_of(source: Source) -> str:
    """Where the next listing begins; "" where the limit is another one now, so that what was too large is listed."""
    limit, _space, cursor = source.cursor.partition(" ")
    return cursor if limit == str(rag_settings().ingestion.max_bytes) else ""


def mirrors_rights(source: Source) -> bool:
    """Whether its documents have the rights that its place gives them."""
    return source.mirror_rights and source.kind in KINDS and KINDS[source.kind].tells_rights


def _environment_secret(source: Source, name: str) -> str:
    known = rag_settings().ingestion.source_secrets.get(name)
    if known is None:
        raise SourceRefused(
            _("There is no secret %(name)s on this server.") % {"name": repr(name)},
            remedy=_("The administrator of the server sets secrets with SOURCE_SECRETS."),
        )
    if known.server != server_of(source.kind, place_of(source)):
        raise SourceRefused(
            _("The secret %(name)s is for %(server)s alone.") % {"name": repr(name), "server": known.server},
            remedy=_("Choose another secret, or an address of that server."),
        )
    return known.secret


def _guard(source: Source) -> AddressGuard:
    return guard_of(source.kind, networks=source.networks, ports=rag_settings().fetching.ports)
