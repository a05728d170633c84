"""IMAP (RFC 9051) by IMAPClient: folders are listed, and of each only the messages that came or went since."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import ItemVanished, item_too_large
from ingestion.sources.connectors.imap.attachments import decoded_part, listed_attachments, without_attachments
from ingestion.sources.connectors.imap.conversations import REFERRING, conversations, joined
from ingestion.sources.connectors.imap.mailbox import FolderClosed, Mailbox
from ingestion.sources.connectors.imap.progress import FolderProgress, cursor_of, in_ranges, progress_of
from ingestion.sources.connectors.protocol import (
    Change,
    ClosedPart,
    ItemContent,
    ListedItem,
    ListingEnd,
    RemotePlace,
    RemovedItem,
)
from ingestion.sources.types import Principal, Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchFailed

_AT_ONCE: Final = 500  # messages whose sizes are asked for together
_UNREAD: Final = {b"\\noselect", b"\\nonexistent", b"\\trash", b"\\junk", b"\\drafts", b"\\all"}
_GROUP: Final = "group:"


class IMAPConnector:
    """The messages of a folder and of those below it: `folder/12.eml`, their attachments `folder/12.eml/2/name`,
    conversations `folder/12-conversation.eml` by their first message.

    The wastebasket, junk and drafts are read only where the location is one of them.
    """

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        self._place, self._guard = place, guard
        self._root = unquote(urlsplit(place.location).path).strip("/")
        self._grouped = place.settings.get("grouping", "") == "thread"
        self._apart = place.settings.get("attachments", "") == "own"
        self._mailbox: Mailbox | None = None
        self._names: Mapping[str, str] = {}

    def check(self) -> None:
        self._list_folders()

    def changes(self, cursor: str) -> Iterator[Change]:
        before = {} if self._grouped else progress_of(cursor)
        after: dict[str, FolderProgress] = {}
        self._list_folders()
        for path, name in self._names.items():
            try:
                opened = _Opened.of(self._connected(), path, name)
            except FolderClosed as error:
                yield ClosedPart(path=path, error=error)
                continue
            yield from self._conversations(opened) if self._grouped else self._messages(opened, before, after)
        for path, progress in before.items():
            if path not in self._names:
                yield from (RemovedItem(path=_path(path, uid)) for uid in sorted(progress.uids))
        yield ListingEnd(complete=not before, cursor="" if self._grouped else cursor_of(after))

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        again = self._mailbox is not None
        try:
            return self._fetched(item, max_bytes)
        except FetchFailed:  # servers end connections that were quiet for a while
            self._disconnect()
            if not again:
                raise
            return self._fetched(item, max_bytes)

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        told = [one.strip() for one in self._place.settings.get("readers", "").split(",")]
        readers = frozenset(_principal(one) for one in told if one) or {Principal(kind="user", name=self._place.user)}
        return {item.path: frozenset(readers) for item in items}

    def _connected(self) -> Mailbox:
        if self._mailbox is None:
            self._mailbox = Mailbox(self._place, self._guard)
        return self._mailbox

    def _disconnect(self) -> None:
        """Servers let in an account ten times at once or so."""
        if self._mailbox is not None:
            self._mailbox.close()
            self._mailbox = None

    def _list_folders(self) -> None:
        """Raises FetchFailed where the folder of the source is none of the account's."""
        self._disconnect()
        found: dict[str, str] = {}
        for flags, delimiter, name in self._connected().folders():
            full = name.replace(delimiter, "/") if delimiter else name
            path = self._below_root(full)
            if path is not None and (not flags & _UNREAD or (path == "" and self._root and b"\\noselect" not in flags)):
                found.setdefault(path, name)
        if not found:
            raise FetchFailed(_("The folder is not there."))
        self._names = found

    def _below_root(self, full: str) -> str | None:
        root = self._root.upper() if self._root.upper() == "INBOX" and full.upper() == "INBOX" else self._root
        if not root or full == root:
            return full if not root else ""
        return full.removeprefix(f"{root}/") if full.startswith(f"{root}/") else None

    def _messages(
        self, opened: "_Opened", before: Mapping[str, FolderProgress], after: dict[str, FolderProgress]
    ) -> Iterator[Change]:
        known = before.get(opened.path)
        same = known.uids if known and known.validity == opened.validity else frozenset()
        there = set(same & opened.uids)
        for batch in _batches(opened.uids - same):
            for uid, told in sorted(self._sizes(batch).items()):
                there.add(uid)
                yield from self._items(opened, uid, told)
        gone = (known.uids - there if known.validity == opened.validity else known.uids) if known else ()
        yield from (RemovedItem(path=_path(opened.path, uid)) for uid in sorted(gone))
        after[opened.path] = FolderProgress(validity=opened.validity, uids=frozenset(there))

    def _conversations(self, opened: "_Opened") -> Iterator[Change]:
        told: dict[int, Mapping[bytes, Any]] = {}
        for batch in _batches(opened.uids):
            told |= self._sizes(batch, REFERRING)
        for uids in conversations(told):
            size = sum(told[uid][b"RFC822.SIZE"] for uid in uids)
            version = f"{opened.validity}:{in_ranges(uids)}"
            yield ListedItem(path=_path(opened.path, uids[0], "-conversation"), version=version, size=size)
            for uid in uids:
                yield from self._attachments(opened, uid, told[uid])

    def _sizes(self, uids: Sequence[int], *parts: str) -> Mapping[int, Mapping[bytes, Any]]:
        wanted = ["RFC822.SIZE", *(["BODYSTRUCTURE"] if self._apart else []), *parts]
        return self._connected().fetch(uids, wanted)

    def _items(self, opened: "_Opened", uid: int, told: Mapping[bytes, Any]) -> Iterator[ListedItem]:
        path = _path(opened.path, uid)
        yield ListedItem(path=path, version=f"{opened.validity}:{uid}", size=told[b"RFC822.SIZE"])
        yield from self._attachments(opened, uid, told)

    def _attachments(self, opened: "_Opened", uid: int, told: Mapping[bytes, Any]) -> Iterator[ListedItem]:
        for one in listed_attachments(told[b"BODYSTRUCTURE"]) if self._apart else ():
            path = f"{_path(opened.path, uid)}/{one.section}/{one.name}"
            yield ListedItem(path=path, version=f"{opened.validity}:{uid}")

    def _fetched(self, item: ListedItem, max_bytes: int) -> ItemContent:
        if not self._names:
            self._list_folders()
        validity, _colon, ranges = item.version.partition(":")
        uids = sorted(FolderProgress.read(f"{validity} {ranges}").uids)
        folder, section = _parted(item.path)
        if folder not in self._names:
            raise ItemVanished(_("The server has no such file."))
        now, _next = self._connected().open_folder(self._names[folder])
        if now != int(validity):
            raise FetchFailed(_("The folder was numbered anew while it was read."))
        if section:
            return ItemContent(content=self._part(uids[0], section, max_bytes), version=item.version)
        messages = [self._message(uid, max_bytes) for uid in uids]
        if sum(map(len, messages)) > max_bytes:
            raise item_too_large(max_bytes)
        return ItemContent(content=joined(messages), version=item.version)

    def _message(self, uid: int, max_bytes: int) -> bytes:
        content = self._section(uid, "", max_bytes)
        return without_attachments(content) if self._apart else content

    def _part(self, uid: int, section: str, max_bytes: int) -> bytes:
        header = self._section(uid, f"{section}.MIME", max_bytes)
        content = decoded_part(header, self._section(uid, section, max_bytes * 3 // 2))  # base64 takes a third more
        if len(content) > max_bytes:
            raise item_too_large(max_bytes)
        return content

    def _section(self, uid: int, section: str, max_bytes: int) -> bytes:
        told = self._connected().fetch([uid], [f"BODY.PEEK[{section}]<0.{max_bytes + 1}>"]).get(uid, {})
        content = next((value for key, value in told.items() if key.startswith(b"BODY[")), None)
        if content is None:
            raise ItemVanished(_("The server has no such file."))
        if len(content) > max_bytes:
            raise item_too_large(max_bytes)
        return bytes(content)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A folder as it stood when it was opened."""

    path: str
    validity: int
    uids: frozenset[int]

    @classmethod
    def of(cls, mailbox: Mailbox, path: str, name: str) -> "_Opened":
        validity, following = mailbox.open_folder(name)
        return cls(path=path, validity=validity, uids=frozenset(mailbox.uids(following)))


def _batches(uids: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(uids)
    yield from (ordered[at : at + _AT_ONCE] for at in range(0, len(ordered), _AT_ONCE))


def _path(folder: str, uid: int, mark: str = "") -> str:
    return f"{folder}/{uid}{mark}.eml" if folder else f"{uid}{mark}.eml"


def _parted(path: str) -> tuple[str, str]:
    """(folder, number of the part or "" for the whole message)."""
    parts = path.split("/")
    with suppress(IndexError):
        if parts[-3].endswith(".eml") and parts[-2].replace(".", "").isdigit():
            return "/".join(parts[:-3]), parts[-2]
    return "/".join(parts[:-1]), ""


def _principal(told: str) -> Principal:
    if told.lower().startswith(_GROUP):
        return Principal(kind="group", name=told[len(_GROUP) :].strip())
    return Principal(kind="user", name=told)
