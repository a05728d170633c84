"""Folders in folders, as a file server has them, walked to a listing."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import FoldersTooDeep, ItemVanished, too_many_items
from ingestion.sources.connectors.protocol import Change, ClosedPart, ListedItem, ListingEnd
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.fetching.errors import FetchFailed

MAX_DEPTH: Final = 50
"""Folders in each other: a server may list a folder in itself."""

MOST_ITEMS: Final = 500_000
"""Of a listing, and of a folder: one that does not end fills no memory."""

_ITSELF: Final = "."
_ABOVE: Final = ("", _ITSELF, "..")
_HIDDEN: Final = (".", "~$")  # the latter are locks of office programs


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderEntry:
    """A file or a folder by its name, "." the folder itself. `identity`: what the server knows it by, whatever it is
    called; "" where it does not tell. `by_content`: see `ListedItem`.
    """

    name: str
    is_folder: bool = False
    version: str = ""
    size: int | None = None
    identity: str = ""
    by_content: bool = False


ListFolder = Callable[[str], Iterable[FolderEntry]]
"""What a folder has in it, by its path below the place ("": the place itself). Raises ItemVanished where it is gone."""


def walk_folders(list_folder: ListFolder) -> Iterator[Change]:
    """The files of all folders by name, then the end. Hidden folders are not opened, nor one that stands in itself.

    A folder that vanished since it was seen has no files; one that cannot be listed, or lies too deep, is closed. What
    can pass is raised, and so is what is wrong with the place itself: there is no end then, and nothing is gone.
    """
    try:
        yield from _walk(list_folder, "", frozenset())
    except ItemVanished as error:
        raise FetchFailed(_("The folder is not there.")) from error
    yield ListingEnd(complete=True)


def is_hidden(path: str) -> bool:
    """Whether a part of the path is hidden, or is the file by which an office program locks a document."""
    return any(part.startswith(_HIDDEN) for part in path.split("/"))


def _walk(list_folder: ListFolder, folder: str, within: frozenset[str]) -> Iterator[Change]:
    """`within`: the identities of the folder and of those above it."""
    entries = list(islice(list_folder(folder), MOST_ITEMS + 1))
    if len(entries) > MOST_ITEMS:
        raise too_many_items(MOST_ITEMS)
    within |= {entry.identity for entry in entries if entry.name == _ITSELF and entry.identity}
    for entry in sorted(entries, key=lambda one: one.name):
        if entry.name in _ABOVE or "/" in entry.name or is_hidden(entry.name):
            continue
        path = f"{folder}/{entry.name}" if folder else entry.name
        if not entry.is_folder:
            yield _item(path, entry)
        elif entry.identity not in within:
            yield from _below(list_folder, path, within | ({entry.identity} - {""}))


def _item(path: str, entry: FolderEntry) -> ListedItem:
    return ListedItem(
        path=path, version=entry.version, size=entry.size, identity=entry.identity, by_content=entry.by_content
    )


def _below(list_folder: ListFolder, path: str, within: frozenset[str]) -> Iterator[Change]:
    try:
        if path.count("/") >= MAX_DEPTH:
            raise FoldersTooDeep(_("There are more than %(n)d folders in each other.") % {"n": MAX_DEPTH})
        yield from _walk(list_folder, path, within)
    except ItemVanished:
        return
    except KnowledgeTreeError as error:
        if error.retryable:
            raise
        yield ClosedPart(path=path, error=error)
