"""A Git repository: the state of a branch is fetched, and read where a file is another one; of what files were before,
as much as is wanted.
"""

import logging
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import islice
from stat import S_ISREG
from tempfile import TemporaryDirectory
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from dulwich import errors as git_errors
from dulwich.object_store import MaxTreeDepthExceeded, iter_tree_contents
from dulwich.objects import Tree
from dulwich.repo import Repo

from ingestion.sources.connectors.errors import (
    FoldersTooDeep,
    ItemVanished,
    UnknownRights,
    item_too_large,
    too_many_items,
)
from ingestion.sources.connectors.folders import MAX_DEPTH, MOST_ITEMS
from ingestion.sources.connectors.git.client import GuardedGitClient
from ingestion.sources.connectors.git.history import (
    MOST_COMMITS,
    BranchHistory,
    FileState,
    HistoryBounds,
    history_bounds,
)
from ingestion.sources.connectors.git.packs import CheckedObjectStore
from ingestion.sources.connectors.protocol import Change, ItemContent, ItemState, ListedItem, ListingEnd, RemotePlace
from ingestion.sources.types import Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchError, FetchFailed, FetchRefused, TooLarge

MAX_HISTORY_BYTES: Final = 2_000_000_000
"""Of what a server sends of what files were before."""

_NO_HISTORY: Final = gettext_lazy("Enter 0 as the earlier versions of the source, and it is read without them.")
_AT_ONCE: Final = 1000  # contents asked for in a request
_FILTER: Final = b"blob:limit=200m"  # larger files are not sent, by servers that can leave them out
_LARGE_FILES: Final = b"version https://git-lfs.github.com/spec/"
_BROKEN: Final = (
    git_errors.GitProtocolError, git_errors.FileFormatException, git_errors.ChecksumMismatch,
    git_errors.NotGitRepository, git_errors.ApplyDeltaError, git_errors.WrongObjectException,
    git_errors.ObjectMissing, git_errors.MissingCommitError,
    zlib.error, struct.error, EOFError, ValueError, LookupError, AssertionError,
)  # fmt: skip

log = logging.getLogger("knowledgetree.sources")


class GitConnector:
    """The files of a branch. A cursor is a commit: where the branch is still there, nothing is listed."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        self._client = GuardedGitClient(place, guard)
        branch = place.settings.get("branch", "")
        self._reference = f"refs/heads/{branch}".encode() if branch else b"HEAD"
        self._folder = place.settings.get("folder", "").strip("/")
        self._bounds = _bounds_of(place)
        self._paths: dict[str, bytes] = {}

    def check(self) -> None:
        self._head()

    def changes(self, cursor: str) -> Iterator[Change]:
        if cursor and self._head() == cursor:
            yield ListingEnd(complete=False, cursor=cursor)
            return
        with _translated():
            listed = iter_tree_contents(self._repository.object_store, self._tree, max_depth=MAX_DEPTH)
            entries = list(islice(listed, MOST_ITEMS + 1))
        if len(entries) > MOST_ITEMS:  # trees that hold each other many times are a line each
            raise too_many_items(MOST_ITEMS)
        came_back = self._came_back(cursor)
        for entry in entries:
            if S_ISREG(entry.mode) and (item := self._item(entry)):
                yield replace(item, came_back=entry.path in came_back) if came_back else item
        yield ListingEnd(complete=True, cursor=self._commit.decode())

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        """The content in the state that was listed, whatever came to the repository since."""
        content = self._content(item.version.encode())
        if content is None or len(content) > max_bytes:
            raise item_too_large(max_bytes)
        return ItemContent(content=content, version=item.version)

    def history(self, items: Sequence[ListedItem], *, most: int) -> Mapping[str, Sequence[ItemState]]:
        bounds = replace(self._bounds, most=min(self._bounds.most, most))
        if not items or not bounds.most:
            return {}
        with _translated():
            told = self._past.states((self._paths[item.path] for item in items), bounds)
            self._fetch_contents({state.content for states in told.values() for state in states})
            listed = {item.path: told[self._paths[item.path]] for item in items}
            return {path: list(self._item_states(states)) for path, states in listed.items()}

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        raise UnknownRights(_("A repository does not tell who may read its files."))

    def _head(self) -> str:
        with _translated():
            refs = self._client.get_refs(b"", ref_prefix=[self._reference]).refs
        return str(self._found(refs).decode())

    def _found(self, refs: Mapping[bytes, Any]) -> bytes:
        """Raises FetchRefused where there is no such branch, or none at all yet."""
        if not (commit := refs.get(self._reference)):
            raise FetchRefused(
                _("The repository has no such branch."), remedy=_("Write the name of a branch as the server shows it.")
            )
        return bytes(commit)

    @cached_property
    def _folder_of_pack(self) -> "TemporaryDirectory[str]":
        return TemporaryDirectory(prefix="knowledgetree-git-")  # gone with the connector

    @cached_property
    def _repository(self) -> Repo:
        with _translated():
            folder = self._folder_of_pack.name
            return Repo.init_bare(folder, object_store=CheckedObjectStore.init(f"{folder}/objects"))

    @cached_property
    def _commit(self) -> bytes:
        with _translated():
            fetched = self._client.fetch(
                b"", self._repository, lambda refs, depth=None: [self._found(refs)], depth=1,
                ref_prefix=[self._reference], filter_spec=_FILTER,
            )  # fmt: skip
        return self._found(fetched.refs)

    @property
    def _tree(self) -> bytes:
        """Raises FetchFailed for a folder that is not there: it may come back."""
        commit: Any = self._repository[self._commit]
        if not self._folder:
            return bytes(commit.tree)
        store = self._repository.object_store
        try:
            _mode, found = store[commit.tree].lookup_path(store.__getitem__, self._folder.encode())
            is_folder = isinstance(store[found], Tree)
        except (KeyError, git_errors.NotTreeError) as error:
            raise FetchFailed(_("The folder is not there.")) from error
        if not is_folder:
            raise FetchFailed(_("The folder is not there."))
        return bytes(found)

    @cached_property
    def _past(self) -> BranchHistory:
        """With its commits and trees; contents are fetched where they are wanted, if the server can leave them out."""
        self._fetch([self._commit], depth=MOST_COMMITS, filter_spec=b"blob:none")
        return BranchHistory(
            repository=self._repository, head=self._commit, folder=self._folder, fetch_contents=self._fetch_contents
        )

    def _came_back(self, cursor: str) -> set[bytes]:
        if not cursor or not self._bounds.most:
            return set()
        try:
            with _translated():
                return self._past.came_back(cursor.encode())
        except FetchError as error:  # it is told where files are read
            if error.retryable:
                raise
            return set()

    def _fetch_contents(self, wanted: Collection[bytes]) -> None:
        """As many as may come; a batch that is too large is tried in halves."""
        missing = sorted(sha for sha in wanted if sha not in self._repository.object_store)
        batches = [missing[first : first + _AT_ONCE] for first in range(0, len(missing), _AT_ONCE)]
        while batches:
            batch = batches.pop()
            if self._client.received > MAX_HISTORY_BYTES:
                log.warning("of the history of a repository %d contents are left out: it is too large", len(batch))
                continue
            try:
                self._fetch(batch)
            except git_errors.HangupException:
                raise
            except git_errors.GitProtocolError as error:
                raise FetchRefused(
                    _("The server does not give what files were before."), remedy=_NO_HISTORY, detail=str(error)[:200]
                ) from error
            except TooLarge:
                middle = len(batch) // 2
                batches += [part for part in (batch[:middle], batch[middle:]) if middle]

    def _fetch(self, wanted: list[bytes], **how: Any) -> None:
        asked = {"ref_prefix": [self._reference], **how}
        self._client.fetch(b"", self._repository, lambda refs, depth=None: wanted, **asked)

    def _item_states(self, states: Iterable[FileState]) -> Iterator[ItemState]:
        """Those of which the content came, and is a file of this repository."""
        for state in states:
            content = self._content(state.content)
            if content is not None and not content.startswith(_LARGE_FILES):
                path = state.path.decode(errors="replace")
                item = ListedItem(path=path, version=state.content.decode(), size=len(content), by_content=True)
                yield ItemState(item=item, revision=state.revision)

    def _item(self, entry: Any) -> ListedItem | None:
        """None for what stands for a file that is kept elsewhere (Git LFS)."""
        content = self._content(entry.sha)
        if content is not None and content.startswith(_LARGE_FILES):
            return None
        size = None if content is None else len(content)
        path, version = entry.path.decode(errors="replace"), entry.sha.decode()
        self._paths[path] = entry.path
        return ListedItem(path=path, version=version, size=size, by_content=True)

    def _content(self, sha: bytes) -> bytes | None:
        """None where the server did not send it, for its size."""
        with _translated():
            store = self._repository.object_store
            return bytes(store.get_raw(sha)[1]) if sha in store else None


def _bounds_of(place: RemotePlace) -> HistoryBounds:
    if bounds := history_bounds(place.settings.get("history", "")):
        return bounds
    raise FetchRefused(
        _("How many earlier versions come is no number and no day."),
        remedy=_("Write for example %(example)s.") % {"example": "20, 2024-01-31"},
    )


@contextmanager
def _translated() -> Iterator[None]:
    """What dulwich raises as errors of ours; the transport raises those already. What breaks off may break anywhere."""
    try:
        yield
    except ItemVanished as error:
        raise FetchRefused(
            _("There is no such repository, or this account is not shown it."),
            remedy=_("Check the address, the account and what its token may read."),
        ) from error
    except MaxTreeDepthExceeded as error:
        raise FoldersTooDeep(_("There are more than %(n)d folders in each other.") % {"n": MAX_DEPTH}) from error
    except _BROKEN as error:
        raise FetchFailed(_("The server cannot be reached or broke off."), detail=str(error)[:200]) from error
    except OSError as error:
        raise FetchFailed(
            _("The repository cannot be kept on this server: %(why)s.") % {"why": error.strerror}
        ) from error
