"""Which of the items that are new are those that are gone, elsewhere: by what the place says, or by what was read."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Final

from ingestion.sources.connectors.protocol import ItemState, ListedItem
from ingestion.sources.types import Known

_MOST_ALIKE: Final = 100  # of one content, compared by their paths each time that one like them is read


class Moves:
    """Which of the addresses that are gone an item came from, each once. `listed`: the identities that are there.

    Where several may be it, it is the one that has most of its path in common from the end on, as in a folder that was
    renamed; of two alike it is none.
    """

    def __init__(self, gone: Mapping[str, Known], listed: Set[str]) -> None:
        self.found: set[str] = set()
        self._lost = {uri: known for uri, known in gone.items() if not known.gone}
        self._by_identity = _grouped(self._lost, lambda known: known.identity)
        others = {uri: known for uri, known in self._lost.items() if known.identity not in listed - {""}}
        self._by_checksum = _grouped(others, lambda known: known.checksum)

    def unread(self, items: Iterable[ListedItem]) -> dict[str, str]:
        """By their paths, where the new ones of `items` were that need not be read: for the place says that they have
        the content that we know. Those of one identity and version, then those of a version that names the content.
        """
        found: dict[str, str] = {}
        by_content: dict[str, list[str]] = {}
        for item in items:
            former = self._of_identity(item)
            if former and former not in self.found:
                found[item.path] = former
                self.found.add(former)
            elif item.by_content and item.version:
                by_content.setdefault(item.version, []).append(item.path)
        left = {uri: known for uri, known in self._lost.items() if uri not in self.found}
        by_version = _grouped(left, lambda known: known.etag)
        for version, paths in by_content.items():
            found |= paired(paths, by_version.get(version, []))
        self.found |= set(found.values())
        return found

    def claim(self, path: str, identity: str, checksum: str) -> str:
        """The address of one that was read; "" where there is none, or more than one that it may be."""
        for candidates in (self._by_identity.get(identity, []), self._by_checksum.get(checksum, [])):
            left = [uri for uri in candidates if uri not in self.found]
            if len(left) > _MOST_ALIKE:
                continue
            if former := paired([path], left).get(path, ""):
                self.found.add(former)
                return former
        return ""

    def claim_of(self, states: Iterable[ItemState], uri_of: Callable[[str], str]) -> str:
        """The address of one that was renamed and changed at once, by what it was before; "" where there is none."""
        for state in states:
            former = self._lost.get(uri := uri_of(state.item.path))
            if former and former.etag == state.item.version and uri not in self.found:
                self.found.add(uri)
                return uri
        return ""

    def _of_identity(self, item: ListedItem) -> str:
        known_as = self._by_identity.get(item.identity, [])
        same = len(known_as) == 1 and item.version and self._lost[known_as[0]].etag == item.version
        return known_as[0] if same else ""


def paired(paths: Sequence[str], formers: Sequence[str]) -> dict[str, str]:
    """Each of the paths with the former one that it has most in common with from the end on, where that is one."""
    new, old = {path: path.split("/") for path in paths}, {path: path.split("/") for path in formers}
    found: dict[str, str] = {}
    longest = max((len(parts) for parts in (*new.values(), *old.values())), default=0) if new and old else -1
    for length in range(longest, -1, -1):
        for path, former in _alone_with(new, old, length):
            found[path] = former
            del new[path], old[former]
    return found


def _alone_with(new: Mapping[str, list[str]], old: Mapping[str, list[str]], length: int) -> Sequence[tuple[str, str]]:
    """The pairs whose last `length` parts nobody else has."""
    of_new, of_old = _by_end(new, length), _by_end(old, length)
    return [(paths[0], of_old[end][0]) for end, paths in of_new.items() if len(paths) == len(of_old.get(end, ())) == 1]


def _by_end(paths: Mapping[str, list[str]], length: int) -> dict[tuple[str, ...], list[str]]:
    ends: dict[tuple[str, ...], list[str]] = {}
    for path, parts in paths.items():
        if len(parts) >= length:
            ends.setdefault(tuple(parts[len(parts) - length :]), []).append(path)
    return ends


def _grouped(known: Mapping[str, Known], mark: Callable[[Known], str]) -> dict[str, list[str]]:
    """The addresses by a mark, where that is not ""."""
    found: dict[str, list[str]] = {}
    for uri, one in known.items():
        if mark(one):
            found.setdefault(mark(one), []).append(uri)
    return found
