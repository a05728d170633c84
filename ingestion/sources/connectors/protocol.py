"""A connector: four verbs by which a place is read, and the values that pass between it and who synchronises."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from ingestion.sources.types import Principals, Revision, Told
from knowledgetree.errors import KnowledgeTreeError


@dataclass(frozen=True, slots=True, kw_only=True)
class RemotePlace:
    """What an editor said of a place: its address, its settings by name, and the secret of the account. `mirrors`:
    whether its documents are to have the rights that it gives them.
    """

    location: str
    settings: Mapping[str, str] = field(default_factory=dict)
    secret: str = field(default="", repr=False)
    mirrors: bool = False

    @property
    def user(self) -> str:
        return self.settings.get("user", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedItem:
    """An item that is there, by its path below the place, with `/`.

    `version` is another one whenever the content is; "" where the place tells no versions. `by_content`: it names the
    content alone, so that what has the same version has the same content, wherever it is. `size` in bytes. `identity`
    stays when it is renamed or moved, and is no other item's later; "" where the place tells none. `came_back`: since
    the cursor it was something else, though it is now what it was then.
    """

    path: str
    version: str = ""
    size: int | None = None
    identity: str = ""
    by_content: bool = False
    came_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedItem:
    """An item that the place says is there no more, with all that it had below it: by its path, or by its `identity`
    where the place tells no more. One that is listed with the same identity is there, elsewhere.
    """

    path: str = ""
    identity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedPart:
    """The part below `path` ("": everything) could not be listed: nothing of it is gone."""

    path: str
    error: KnowledgeTreeError


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingEnd:
    """Everything was said. `complete`: what was not listed is not there. `cursor`: where the next listing begins."""

    complete: bool
    cursor: str = ""


Change = ListedItem | RemovedItem | ClosedPart | ListingEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemContent:
    """The content of an item, of the `version` that it had when it was read. `name`: that of the file where it is not
    the end of the path; `told`: what the place says of it, of this version.
    """

    content: bytes
    version: str
    name: str = ""
    told: Told | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemState:
    """What an item was, or is, from a `revision` on: as `fetch` takes it, under the path that it had then."""

    item: ListedItem
    revision: Revision


class Connector(Protocol):
    """Reads one place. All methods raise subclasses of `KnowledgeTreeError` and nothing else; one that can pass says so
    (`retryable`), and how long its server wants to be left in peace (`HTTPFailure.retry_after`).
    """

    def check(self) -> None:
        """Raises where the place cannot be listed with this account."""

    def changes(self, cursor: str) -> Iterator[Change]:
        """What is there, or what changed since `cursor`, each path once; `ListingEnd` last.

        A listing without it was broken off. A cursor that the place does not know any more is as none: "".
        """

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        """Raises ItemVanished, TooLarge past `max_bytes`."""

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        """Who may read each path. None: everybody whom the place lets in. A path that is left out nobody may read.

        Raises UnknownRights where the place does not tell.
        """


@runtime_checkable
class RemembersHistory(Protocol):
    """What a connector is besides, whose place keeps what its items were before."""

    def history(self, items: Sequence[ListedItem], *, most: int) -> Mapping[str, Sequence[ItemState]]:
        """By the paths of `items`, which were listed, their states that are wanted of this place, the newest first: the
        one that was listed and at most so many before it. What can be fetched of them is here afterwards, so that
        `fetch` waits for nobody. A path that is left out has none.
        """
