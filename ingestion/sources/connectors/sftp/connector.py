"""SFTP by paramiko: folders are listed one by one, files fetched where their time or size is another one."""

import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from stat import S_ISDIR, S_ISREG
from typing import Final
from urllib.parse import unquote, urlsplit

import paramiko
from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import UnknownRights, item_too_large
from ingestion.sources.connectors.folders import FolderEntry, walk_folders
from ingestion.sources.connectors.protocol import Change, ItemContent, ListedItem, RemotePlace
from ingestion.sources.connectors.sftp.session import open_session, translated
from ingestion.sources.types import Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchFailed

_PORT: Final = 22
_AT_ONCE: Final = 64  # requests for pieces of a file


class SFTPConnector:
    """The files below a folder, links left out. The session begins with the first verb and ends with the connector."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        parts = urlsplit(place.location)
        self._place, self._guard = place, guard
        self._host, self._port = parts.hostname or "", parts.port or _PORT
        self._root = unquote(parts.path).rstrip("/")

    @cached_property
    def _session(self) -> paramiko.SFTPClient:
        session = open_session(self._place, self._guard, self._host, self._port)
        weakref.finalize(self, session.get_channel().get_transport().close)
        return session

    def check(self) -> None:
        self._entries("")

    def changes(self, cursor: str) -> Iterator[Change]:
        return walk_folders(self._entries)

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        session = self._session
        with translated(), session.open(f"{self._root}/{item.path}", "rb") as file:
            told = file.stat()
            if told.st_size > max_bytes:
                raise item_too_large(max_bytes)
            file.prefetch(told.st_size, max_concurrent_requests=_AT_ONCE)
            content: bytes = file.read(told.st_size)
        if len(content) < told.st_size:
            raise FetchFailed(_("The server cannot be reached or broke off."))
        return ItemContent(content=content, version=_version(told))

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        raise UnknownRights(_("SFTP does not tell by name who may read a file."))

    def _entries(self, folder: str) -> list[FolderEntry]:
        """Not by paramiko's `listdir_iter`, which takes a connection that broke off for the end."""
        session = self._session
        with translated():
            told = session.listdir_attr(f"{self._root}/{folder}" if folder else self._root or "/")
        return [_entry(one) for one in told if S_ISREG(one.st_mode or 0) or S_ISDIR(one.st_mode or 0)]


def _entry(told: paramiko.SFTPAttributes) -> FolderEntry:
    is_folder = S_ISDIR(told.st_mode or 0)
    return FolderEntry(name=told.filename, is_folder=is_folder, version=_version(told), size=told.st_size)


def _version(told: paramiko.SFTPAttributes) -> str:
    return f"{told.st_mtime}:{told.st_size}"
