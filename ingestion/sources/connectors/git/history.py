"""What the files of a branch were before: its states one after the other, from the last one back.

States are those that the branch itself went through, by the first parent of each commit: what came by a merge came with
the merge, on its day. Trees are compared by dulwich, and so is whether a file is another one under a new name.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from stat import S_ISREG
from typing import Any, Final

from dulwich import errors as git_errors
from dulwich.diff_tree import CHANGE_RENAME, RenameDetector, TreeChange, tree_changes
from dulwich.objects import Tree

from ingestion.sources.types import Revision

MOST_COMMITS: Final = 5000
"""Looked back through, for the histories of all files together."""

_MOST_COMPARED: Final = 50  # files of a commit that may be each other, by what they say
_MOST_SEARCHES: Final = 100  # commits of which contents are asked for, to see what was renamed and changed at once
_LONGEST_NOTE: Final = 1000

FetchContents = Callable[[Collection[bytes]], object]
"""Sees to it that the store has these contents, if the server gives them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """A content of a file, since the commit that brought it, under the path that it had then."""

    path: bytes
    content: bytes
    revision: Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryBounds:
    """How much of the past of each file is wanted: so many states before the last, those that held `since` then."""

    most: int
    since: date | None = None


def history_bounds(wanted: str) -> HistoryBounds | None:
    """What a setting asks for: a number, a day (2024-01-31), "" for ten. None for neither."""
    said = wanted.strip()
    if re.fullmatch(r"\d{1,3}", said):
        return HistoryBounds(most=int(said))
    try:
        return HistoryBounds(most=MOST_COMMITS, since=date.fromisoformat(said)) if said else HistoryBounds(most=10)
    except ValueError:
        return None


@dataclass(slots=True, kw_only=True)
class BranchHistory:
    """The commits of a branch from `head` on, as far as the repository has them; of its `folder` alone."""

    repository: Any
    head: bytes
    folder: str
    fetch_contents: FetchContents
    _searches: int = field(default=0, init=False)

    def states(self, paths: Iterable[bytes], bounds: HistoryBounds) -> dict[bytes, list[FileState]]:
        """By their paths of today, the newest first; of a file that came about before the commits that there are, or
        outside the folder, those that are known.
        """
        trails = {path: _Trail(bounds=bounds) for path in paths}
        followed = {path: path for path in trails}  # what they were called in the state looked at, to what they are now
        for commit, older, newer in self._steps():
            if not followed:
                break
            changed = [one for one in tree_changes(self._store, older, newer) if one.new and one.new.path in followed]
            if not changed:
                continue
            for change in self._with_renames(changed, older, newer):
                today = followed.pop(change.new.path)
                if before := trails[today].take(change, _revision_of(commit)):
                    followed[before] = today
        return {path: trail.states for path, trail in trails.items()}

    def came_back(self, cursor: bytes) -> set[bytes]:
        """The paths of files that are as they were in the commit `cursor` and were something else since; none where it
        is no commit of this branch.
        """
        ends: dict[bytes, tuple[bytes | None, bytes | None]] = {}  # what each is now, and what it was before
        for commit, older, newer in self._steps():
            if commit.id == cursor:
                return {path for path, (now, before) in ends.items() if now and now == before}
            for change in tree_changes(self._store, older, newer):
                for path in {entry.path for entry in (change.old, change.new) if entry}:
                    now, _before = ends.get(path, (_content_at(change.new, path), None))
                    ends[path] = now, _content_at(change.old, path)
        return set()

    @property
    def _store(self) -> Any:
        return self.repository.object_store

    def _steps(self) -> Iterator[tuple[Any, bytes | None, bytes | None]]:
        """(commit, the tree before it, its tree), up to the first one, or to where the server cut the history off."""
        commit = self.repository[self.head]
        for _number in range(MOST_COMMITS):
            parent = commit.parents[0] if commit.parents else None
            if parent is not None and parent not in self._store:
                return
            before = self.repository[parent] if parent else None
            yield commit, before and self._tree(before), self._tree(commit)
            if before is None:
                return
            commit = before

    def _tree(self, commit: Any) -> bytes | None:
        if not self.folder:
            return bytes(commit.tree)
        try:
            _mode, found = self._store[commit.tree].lookup_path(self._store.__getitem__, self.folder.encode())
        except (KeyError, git_errors.NotTreeError):
            return None
        return bytes(found) if isinstance(self._store[found], Tree) else None

    def _with_renames(self, changed: Sequence[TreeChange], older: bytes | None, newer: bytes | None) -> Iterator[Any]:
        """Those that came about under their path with what they were called before, where they were something."""
        added = {change.new.path for change in changed if change.old is None}
        renamed = self._renames(added, older, newer) if added and older and newer else {}
        for change in changed:
            yield renamed.get(change.new.path, change)

    def _renames(self, added: set[bytes], older: bytes, newer: bytes) -> dict[bytes, TreeChange]:
        """By the same content, and where that leaves some, by contents that have most in common."""
        found = self._detected(older, newer, compared=0)
        left = added - found.keys()
        changes = list(tree_changes(self._store, older, newer)) if left and self._searches < _MOST_SEARCHES else []
        gone = [change.old for change in changes if change.new is None]
        if not gone or len(gone) * len(left) > _MOST_COMPARED**2:
            return found
        self._searches += 1
        self.fetch_contents({entry.sha for change in changes for entry in (change.old, change.new) if entry})
        try:
            return found | self._detected(older, newer, compared=_MOST_COMPARED)
        except KeyError:  # a content that the server does not give
            return found

    def _detected(self, older: bytes, newer: bytes, *, compared: int) -> dict[bytes, TreeChange]:
        detector = RenameDetector(self._store, max_files=compared)
        changes = detector.changes_with_renames(older, newer)
        return {change.new.path: change for change in changes if change.type == CHANGE_RENAME}


@dataclass(slots=True, kw_only=True)
class _Trail:
    bounds: HistoryBounds
    states: list[FileState] = field(default_factory=list)

    def take(self, change: Any, revision: Revision) -> bytes | None:
        """What the file was called before the change; None where there is nothing before it, or nothing wanted."""
        if change.old is None or change.old.sha != change.new.sha:
            self.states.append(FileState(path=change.new.path, content=change.new.sha, revision=revision))
        if change.old is None or not S_ISREG(change.old.mode):
            return None
        since = self.bounds.since
        is_enough = len(self.states) > self.bounds.most or (since and self.states and revision.since.date() <= since)
        return None if is_enough else bytes(change.old.path)


def _revision_of(commit: Any) -> Revision:
    name = commit.author.decode(errors="replace").partition("<")[0].strip()
    said = commit.message.decode(errors="replace").strip()
    note = ": ".join(filter(None, (name, said))).replace("\x00", "")
    return Revision(key=commit.id.decode(), since=_moment(commit.commit_time), note=note[:_LONGEST_NOTE])


def _moment(seconds: int) -> datetime:
    """A commit may say any time."""
    try:
        return datetime.fromtimestamp(max(seconds, 0), UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.now(UTC)


def _content_at(entry: Any, path: bytes) -> bytes | None:
    return bytes(entry.sha) if entry and entry.path == path and S_ISREG(entry.mode) else None
