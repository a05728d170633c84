"""Network drives: folders are listed one by one, files fetched where their time, size or number is another one."""

import logging
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext as _

from ingestion.sources.connectors.folders import walk_folders
from ingestion.sources.connectors.protocol import Change, ItemContent, ListedItem, RemotePlace
from ingestion.sources.connectors.smb.rights import readers_of
from ingestion.sources.connectors.smb.session import close, open_share, translated
from ingestion.sources.connectors.smb.share import NetworkShare
from ingestion.sources.types import Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchRefused

_PORT: Final = 445

log = logging.getLogger("knowledgetree.sources")


class SMBConnector:
    """The files below a folder of a share, links left out. The session begins with the first verb and ends with the
    connector.
    """

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        self._place, self._guard = place, guard

    @cached_property
    def _share(self) -> NetworkShare:
        parts = urlsplit(self._place.location)
        share, _slash, root = unquote(parts.path).strip("/").partition("/")
        if not share:
            raise FetchRefused(
                _("The address names no share."),
                remedy=_("Write the share behind the server, as in smb://server/share/"),
            )
        tree = open_share(self._place, self._guard, parts.hostname or "", parts.port or _PORT, share)
        weakref.finalize(self, close, tree.session.connection)
        return NetworkShare(tree, root)

    def check(self) -> None:
        for _entry in self._share.entries(""):
            return

    def changes(self, cursor: str) -> Iterator[Change]:
        yield from walk_folders(self._share.entries)  # which keeps the connector alive

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        """Its version is the one that was listed: Windows may tell another time of a file once it is open. What changed
        meanwhile is read once more at the next listing.
        """
        return ItemContent(content=self._share.read(item.path, max_bytes=max_bytes), version=item.version)

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        found: dict[str, Principals | None] = {}
        for path, descriptor in self._share.descriptors([item.path for item in items]):
            if descriptor:
                with suppress(BadReply), translated():
                    found[path] = readers_of(descriptor)
        if unread := [item.path for item in items if item.path not in found]:
            log.warning("nobody may read %d files whose rights cannot be read, as of %s", len(unread), unread[0])
        return found
