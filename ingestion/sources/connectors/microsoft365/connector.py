"""SharePoint and OneDrive by Microsoft Graph: libraries are listed by what changed since, and files are read by their
identifiers, which they keep wherever they are moved.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import AccessDenied, ItemVanished, UnknownRights, http_error, too_many_items
from ingestion.sources.connectors.folders import MOST_ITEMS
from ingestion.sources.connectors.microsoft365.client import MOST_AT_ONCE, BatchedReply, EntryPage, GraphClient, shaped
from ingestion.sources.connectors.microsoft365.deltas import Items, changed_tree, changes_of, tree_of
from ingestion.sources.connectors.microsoft365.drives import Drive, DriveItem, Site, files_of
from ingestion.sources.connectors.microsoft365.progress import DriveProgress, SiteProgress, progress_of
from ingestion.sources.connectors.microsoft365.rights import Permission, readers_of
from ingestion.sources.connectors.protocol import Change, ItemContent, ListedItem, ListingEnd, RemotePlace
from ingestion.sources.types import Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchFailed

_DAY: Final = 86_400.0
_SHARING: Final = "deltashowremovedasdeleted, deltatraversepermissiongaps, deltashowsharingchanges, hierarchicalsharing"

Libraries = Mapping[str, tuple[Drive, str]]
"""By identifier, with what stands before the paths of their files."""


class Microsoft365Connector:
    """Files as `Shared Documents/folder/name`: with the address of the site that is their own.

    What changed is listed, and everything once a day: Graph tells an application with the least rights of a change of
    rights not always. Where documents have the rights of the place, everything is listed each time unless the source
    says otherwise.
    """

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        self._place, self._graph = place, GraphClient(place, guard)
        self._wanted = {name.strip() for name in place.settings.get("libraries", "").split(",")} - {""}
        self._by_changes = not place.mirrors or place.settings.get("asking", "") == "changed"
        self._site: tuple[Site, str] | None = None

    def check(self) -> None:
        self._libraries()

    def changes(self, cursor: str) -> Iterator[Change]:
        libraries, before = self._libraries(), progress_of(cursor)
        changed = self._changes_since(before, libraries) if before and self._goes_on(before, libraries) else None
        if changed is not None:
            yield from changed
            return
        begun, drives = time.time(), {}
        for key, (drive, prefix) in libraries.items():
            items, link = self._delta(f"drives/{key}/root/delta")
            drives[key] = DriveProgress(link=link, prefix=prefix, tree=tree_of(items))
            yield from files_of(drive, prefix, items.values(), drives[key].tree)
        yield ListingEnd(complete=True, cursor=SiteProgress(whole=begun, drives=drives).cursor)

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        content = self._graph.content(f"{_path_of(item)}/content", max_bytes=max_bytes)
        return ItemContent(content=content, version=item.version)

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        """Each file has its own permissions and those that it inherits, told together."""
        found: dict[str, Principals | None] = {}
        site, _library = self._found()
        for first in range(0, len(items), MOST_AT_ONCE):
            some = items[first : first + MOST_AT_ONCE]
            replies = self._graph.batch([f"{_path_of(item)}/permissions" for item in some])
            for item, reply in zip(some, replies, strict=True):
                found[item.path] = readers_of(self._permissions(reply), site.path)
        return found

    def _goes_on(self, before: SiteProgress, libraries: Libraries) -> bool:
        listed = {key: one.prefix for key, one in before.drives.items()}
        same = listed == {key: prefix for key, (_drive, prefix) in libraries.items()}
        return same and self._by_changes and 0 <= time.time() - before.whole < _DAY

    def _changes_since(self, before: SiteProgress, libraries: Libraries) -> list[Change] | None:
        """None where that does not tell everything."""
        changes: list[Change] = []
        drives: dict[str, DriveProgress] = {}
        for key, (drive, prefix) in libraries.items():
            known = before.drives[key]
            try:
                items, link = self._delta(known.link)
            except ItemVanished:  # 410: what changed since then is not known any more
                return None
            tree = changed_tree(known.tree, items)
            if tree is None:
                return None
            drives[key] = DriveProgress(link=link, prefix=prefix, tree=tree)
            changes += changes_of(drive, known, items, tree)
        cursor = SiteProgress(whole=before.whole, drives=drives).cursor
        return [*changes, ListingEnd(complete=False, cursor=cursor)]

    def _delta(self, path: str) -> tuple[Items, str]:
        """What changes while it is listed comes again: the last time counts."""
        found: dict[str, DriveItem] = {}
        link = ""
        for page in self._graph.pages(path, EntryPage[DriveItem], prefer=_SHARING if self._place.mirrors else ""):
            found.update((item.id, item) for item in page.value)
            link = page.delta
            if len(found) > MOST_ITEMS:
                raise too_many_items(MOST_ITEMS)
        if not link:
            raise FetchFailed(_("The list broke off."))
        return found, link

    def _found(self) -> tuple[Site, str]:
        """The site of the location, and what the location has below it: "", or a library."""
        if self._site is None:
            parts = urlsplit(self._place.location)
            path = unquote(parts.path).strip("/")
            above, _slash, library = path.rpartition("/")
            try:
                self._site = self._site_at(parts.hostname or "", path), ""
            except ItemVanished:
                self._site = self._site_above(parts.hostname or "", above), library
        return self._site

    def _site_above(self, host: str, path: str) -> Site:
        try:
            return self._site_at(host, path)
        except ItemVanished as error:
            raise AccessDenied(_("There is no such site, or the application does not see it.")) from error

    def _site_at(self, host: str, path: str) -> Site:
        site: Site = self._graph.json(f"sites/{host}{f':/{quote(path)}' if path else ''}", Site)
        return site

    def _libraries(self) -> Libraries:
        """One that is named and not seen is no empty one."""
        site, library = self._found()
        seen = [
            drive for page in self._graph.pages(f"sites/{site.id}/drives", EntryPage[Drive]) for drive in page.value
        ]
        wanted = {library} if library else self._wanted
        names = {name for drive in seen for name in drive.names(site)}
        if missing := sorted(wanted - names):
            raise AccessDenied(_("The application does not see the library %(name)s.") % {"name": repr(missing[0])})
        drives = [drive for drive in seen if not wanted or wanted & drive.names(site)]
        return {drive.id: (drive, "" if library else drive.path_below(site)) for drive in drives}

    def _permissions(self, reply: BatchedReply) -> Iterator[Permission]:
        """None of a file that is gone meanwhile."""
        error = None if reply.status < 300 else http_error(reply.status, retry_after=reply.retry_after)
        if isinstance(error, AccessDenied):
            raise UnknownRights(
                _("The application may not see who may read the files."),
                remedy=_("Grant it the site with the role fullcontrol, or choose the rights of the collection."),
            ) from error
        if error and not isinstance(error, ItemVanished):
            raise error
        page = shaped({"value": []} if error else reply.body, EntryPage[Permission])
        yield from page.value
        for more in self._graph.pages(page.following, EntryPage[Permission]):
            yield from more.value


def _path_of(item: ListedItem) -> str:
    drive, _slash, number = item.identity.partition("/")
    return f"drives/{quote(drive)}/items/{quote(number)}"
