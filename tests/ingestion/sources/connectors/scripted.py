"""A place of which a test says everything: what is listed, in which order, and what goes wrong."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ingestion.sources.connectors.errors import ItemVanished, item_too_large
from ingestion.sources.connectors.protocol import (
    Change,
    ClosedPart,
    ItemContent,
    ItemState,
    ListedItem,
    ListingEnd,
    RemovedItem,
)
from ingestion.sources.types import Principals, Revision
from knowledgetree.errors import KnowledgeTreeError


@dataclass
class ScriptedPlace:
    """`files` by path. `breaks_after` so many items the listing raises `error`; `closed` cannot be listed; what
    `refused` has raises where it is fetched; `removed` and
    `removed_identities` are said to be gone, and with a `cursor` nothing else is.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    closed: dict[str, KnowledgeTreeError] = field(default_factory=dict)
    refused: dict[str, KnowledgeTreeError] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    removed_identities: list[str] = field(default_factory=list)
    identities: dict[str, str] = field(default_factory=dict)
    readers: Callable[[str], Principals | None] = lambda path: None
    cursor: str = ""
    breaks_after: int | None = None
    error: KnowledgeTreeError | None = None
    fetched: list[str] = field(default_factory=list)
    cursors: list[str] = field(default_factory=list)

    def check(self) -> None: ...

    def changes(self, cursor: str) -> Iterator[Change]:
        self.cursors.append(cursor)
        for number, (path, content) in enumerate(self.files.items()):
            if number == self.breaks_after:
                assert self.error
                raise self.error
            identity = self.identities.get(path, "")
            yield ListedItem(path=path, version=f"{hash(content)}", size=len(content), identity=identity)
        yield from (RemovedItem(path=path) for path in self.removed)
        yield from (RemovedItem(identity=identity) for identity in self.removed_identities)
        yield from (ClosedPart(path=path, error=error) for path, error in self.closed.items())
        yield ListingEnd(complete=not (cursor and self.cursor), cursor=self.cursor)

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        self.fetched.append(item.path)
        if error := self.refused.get(item.path):
            raise error
        content = self.files.get(item.path)
        if content is None:
            raise ItemVanished("gone")
        if len(content) > max_bytes:
            raise item_too_large(max_bytes)
        return ItemContent(content=content, version=item.version)

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        return {item.path: self.readers(item.path) for item in items}


@dataclass
class RememberingPlace(ScriptedPlace):
    """One that tells of each file of `past` what it was, the newest first, by path and content; or raises `no_past`."""

    past: dict[str, list[tuple[str, bytes]]] = field(default_factory=dict)
    no_past: KnowledgeTreeError | None = None
    asked: list[str] = field(default_factory=list)

    def history(self, items: Sequence[ListedItem], *, most: int) -> Mapping[str, Sequence[ItemState]]:
        self.asked += [item.path for item in items]
        if self.no_past:
            raise self.no_past
        return {item.path: list(self._states(item.path)) for item in items if item.path in self.past}

    def _states(self, path: str) -> Iterator[ItemState]:
        for number, (then, content) in enumerate([(path, self.files[path]), *self.past[path]]):
            item = ListedItem(path=then, version=f"{hash(content)}", size=len(content))
            yield ItemState(item=item, revision=Revision(key=f"{path} {number}", since=datetime.now(UTC)))
