"""A place read through its connector: listed, compared with what is known, and fetched where that differs."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

from ingestion.sources.connectors.errors import ItemVanished, item_too_large, too_many_items
from ingestion.sources.connectors.folders import MOST_ITEMS, is_hidden
from ingestion.sources.connectors.moves import Moves
from ingestion.sources.connectors.protocol import (
    ClosedPart,
    Connector,
    ItemState,
    ListedItem,
    ListingEnd,
    RemembersHistory,
    RemovedItem,
)
from ingestion.sources.patterns import wanted
from ingestion.sources.types import (
    EarlierContent,
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Moved,
    Outcome,
    Planned,
    Principals,
    Reached,
    ReadingStep,
    Skipped,
    Stopped,
    Unchanged,
    never,
)
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.fetching.errors import TooLarge

_GIVEN_UP: Final = 10  # failures in a row, after which a place is left in peace


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """`location` stands before each path in the URI of its document. `include` and `exclude` match the path (see
    `patterns.wanted`). `mirrors`: whether documents have the rights that the place gives. `earlier`: how many states of
    a document before the present one are kept.
    """

    location: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = 50_000_000
    mirrors: bool = False
    earlier: int = 0

    def takes(self, state: ItemState) -> bool:
        """Whether the source wants an item under the path that it had then."""
        path = state.item.path
        return not is_hidden(path) and wanted(path, include=self.include, exclude=self.exclude)

    def uri(self, path: str) -> str:
        """What PostgreSQL stores: no zeros, and U+FFFD for what is no UTF-8."""
        cleaned = path.replace("\x00", "").encode("utf-8", errors="replace").decode()
        return f"{self.location.rstrip('/')}/{cleaned}" if cleaned else self.location


def read_connector(
    connector: Connector,
    *,
    options: ReadingOptions,
    known: Mapping[str, Known],
    cursor: str = "",
    stopped: Stopped = never,
) -> Iterator[ReadingStep]:
    """Each item that is there or has changed, then what is gone, and where the next reading begins. Nothing is raised.

    An item whose version is the known one is not fetched, nor one that the place says is another one that is gone,
    elsewhere (`Moves.unread`). What else has the identity or the content of an item that is gone, or had it, was moved.
    What was listed before a listing broke off is read, and nothing is gone then, nor anything below a closed part.
    """
    listing = _listed(connector, cursor, options)
    gone = listing.missing(known)
    moved = listing.moves(gone, known)
    unread = moved.unread(listing.new(known))
    try:
        rights = connector.rights(listing.wanted) if options.mirrors else {}
    except KnowledgeTreeError as error:
        yield FetchFailure.because(options.location, error)
        return
    histories = _histories(connector, listing.unknown(known, unread), options)
    if histories.error:
        yield FetchFailure.because(options.location, histories.error)
        if histories.error.retryable:  # or what is new would come in for good without what it was
            return
    failures = 0
    for item in listing.items.values():
        if stopped():
            return
        uri = options.uri(item.path)
        if item.path not in listing.wanted_paths:
            yield Skipped(uri=uri, reason="excluded")
            continue
        readers = rights.get(item.path, frozenset()) if options.mirrors else None
        if former := unread.get(item.path):
            version = replace(known[former], identity=item.identity)
            yield Moved(uri=uri, former=former, version=version, readers=readers)
            continue
        past = histories.states.get(item.path, ())
        outcome = _outcome(connector, item, options, known.get(uri), readers, moved, past)
        yield outcome
        failures = failures + 1 if isinstance(outcome, FetchFailure) and outcome.code != TooLarge.code else 0
        if failures == _GIVEN_UP or (isinstance(outcome, FetchFailure) and outcome.wait):
            return
    yield from listing.failures(options)
    yield from (Gone(uri=uri) for uri in gone if uri not in moved.found)
    if listing.end and not listing.closed:
        yield Reached(cursor=listing.end.cursor, complete=listing.end.complete)


def plan_connector(
    connector: Connector, *, options: ReadingOptions, known: Mapping[str, Known], cursor: str = ""
) -> Iterator[ReadingStep]:
    """What `read_connector` would do, without fetching anything. Nothing is raised."""
    listing = _listed(connector, cursor, options)
    gone = listing.missing(known)
    moved = listing.moves(gone, known)
    unread = moved.unread(listing.new(known))
    for item in listing.items.values():
        uri = options.uri(item.path)
        version = known.get(uri)
        if item.path not in listing.wanted_paths:
            yield Skipped(uri=uri, reason="excluded")
        elif _is_unchanged(item, version) and version:
            yield Unchanged(uri=uri, version=version)
        else:
            former = unread.get(item.path, "")
            yield Planned(uri=uri, result="changed" if version or former else "new", former=former)
    yield from listing.failures(options)
    yield from (Planned(uri=uri, result="gone") for uri in gone if uri not in moved.found and not known[uri].gone)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Histories:
    """By path; `error` says why there are none."""

    states: Mapping[str, Sequence[ItemState]] = field(default_factory=dict)
    error: KnowledgeTreeError | None = None


def _histories(connector: Connector, items: Sequence[ListedItem], options: ReadingOptions) -> _Histories:
    """As far back as the source wants the files under the paths that they had."""
    if not items or not options.earlier or not isinstance(connector, RemembersHistory):
        return _Histories()
    try:
        told = connector.history(items, most=options.earlier)
    except KnowledgeTreeError as error:
        return _Histories(error=error)
    return _Histories(states={path: list(takewhile(options.takes, states)) for path, states in told.items()})


@dataclass(slots=True, kw_only=True)
class _Listing:
    options: ReadingOptions
    items: dict[str, ListedItem] = field(default_factory=dict)
    removed: list[RemovedItem] = field(default_factory=list)
    closed: list[ClosedPart] = field(default_factory=list)
    end: ListingEnd | None = None
    wanted: list[ListedItem] = field(default_factory=list)
    wanted_paths: set[str] = field(default_factory=set)

    def add(self, item: ListedItem) -> None:
        if is_hidden(item.path) or item.path in self.items:
            return
        self.items[item.path] = item
        if wanted(item.path, include=self.options.include, exclude=self.options.exclude):
            self.wanted.append(item)
            self.wanted_paths.add(item.path)

    def unknown(self, known: Mapping[str, Known], unread: Container[str]) -> list[ListedItem]:
        """The wanted items that are new or others now, but for those that are `unread`."""
        asked = (item for item in self.wanted if item.path not in unread)
        return [item for item in asked if not _is_unchanged(item, known.get(self.options.uri(item.path)))]

    def new(self, known: Mapping[str, Known]) -> list[ListedItem]:
        """Those of the wanted items whose addresses are not known."""
        return [item for item in self.wanted if self.options.uri(item.path) not in known]

    def moves(self, gone: Iterable[str], known: Mapping[str, Known]) -> Moves:
        return Moves({uri: known[uri] for uri in gone}, {item.identity for item in self.items.values()})

    def missing(self, known: Mapping[str, Known]) -> list[str]:
        """The known addresses that are there no more."""
        there = {self.options.uri(path) for path in self.items}
        absent: Iterable[str] = (uri for uri in known if uri not in there)
        if not (self.end and self.end.complete):
            absent = self._removed(absent, known)
        return [uri for uri in absent if not self._is_closed(uri)]

    def _removed(self, absent: Iterable[str], known: Mapping[str, Known]) -> Iterator[str]:
        """Those of `absent` that are said to be gone, or are listed elsewhere."""
        paths = {self.options.uri(item.path) for item in self.removed if item.path}
        identities = {item.identity for item in self.removed} | {item.identity for item in self.items.values()}
        identities.discard("")
        for uri in absent:
            if known[uri].identity in identities or not paths.isdisjoint(_with_parents(uri)):
                yield uri

    def failures(self, options: ReadingOptions) -> Iterator[FetchFailure]:
        yield from (FetchFailure.because(options.uri(part.path), part.error) for part in self.closed)

    def _is_closed(self, uri: str) -> bool:
        parts = (self.options.uri(part.path).rstrip("/") for part in self.closed)
        return any(uri == part or uri.startswith(f"{part}/") for part in parts)


def _with_parents(uri: str) -> Iterator[str]:
    while uri:
        yield uri
        uri = uri.rpartition("/")[0]


def _listed(connector: Connector, cursor: str, options: ReadingOptions) -> _Listing:
    """What was listed before something went wrong is kept; what went wrong is a closed part."""
    listing = _Listing(options=options)
    try:
        for change in connector.changes(cursor):
            if isinstance(change, ListedItem):
                listing.add(change)
            elif isinstance(change, RemovedItem):
                listing.removed.append(change)
            elif isinstance(change, ClosedPart):
                listing.closed.append(change)
            else:
                listing.end = change
            if len(listing.items) > MOST_ITEMS:
                raise too_many_items(MOST_ITEMS)
    except KnowledgeTreeError as error:
        listing.end = None
        listing.closed.append(ClosedPart(path="", error=error))
    return listing


def _outcome(
    connector: Connector,
    item: ListedItem,
    options: ReadingOptions,
    known: Known | None,
    readers: Principals | None,
    moved: Moves,
    past: Sequence[ItemState],
) -> Outcome:
    uri = options.uri(item.path)
    if known and _is_unchanged(item, known):
        return Unchanged(uri=uri, version=replace(known, identity=item.identity), readers=readers)
    try:
        if item.size is not None and item.size > options.max_bytes:
            raise item_too_large(options.max_bytes)
        read = connector.fetch(item, max_bytes=options.max_bytes)
    except ItemVanished:
        return Gone(uri=uri) if known else Skipped(uri=uri, reason="vanished")
    except KnowledgeTreeError as error:
        return FetchFailure.because(uri, error)
    version = Known.of(read.content, etag=read.version, identity=item.identity)
    if known and known.checksum == version.checksum and read.told is None and not item.came_back:
        return Unchanged(uri=uri, version=version, readers=readers)
    former = moved.claim(item.path, item.identity, version.checksum) if known is None else ""
    return FetchedDocument(
        uri=uri,
        title=read.told.title if read.told else "",
        name=read.name or uri.rpartition("/")[2],
        content=read.content,
        media_type="",
        version=version,
        former=former or (moved.claim_of(past, options.uri) if known is None else ""),
        readers=readers,
        told=read.told,
        revision=past[0].revision if past else None,
        earlier=tuple(_earlier(connector, state, options.max_bytes) for state in past[1:]),
    )


def _earlier(connector: Connector, state: ItemState, max_bytes: int) -> EarlierContent:
    def read() -> bytes:
        return connector.fetch(state.item, max_bytes=max_bytes).content

    name = state.item.path.rpartition("/")[2]
    return EarlierContent(revision=state.revision, name=name, etag=state.item.version, read=read)


def _is_unchanged(item: ListedItem, known: Known | None) -> bool:
    return known is not None and bool(item.version) and known.etag == item.version and not item.came_back
