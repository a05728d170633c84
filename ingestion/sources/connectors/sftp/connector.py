"""SFTP by paramiko: folders are listed one by one, files fetched where their time or size is another one."""

import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from stat import S_ISDIR, S_ISREG
from typing import Final
from urllib.parse import unquote, urlsplit

import paramiko
from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import ItemVanished, UnknownRights, item_too_large
from ingestion.sources.connectors.protocol import Change, ClosedPart, ItemContent, ListedItem, ListingEnd, RemotePlace
from ingestion.sources.connectors.sftp.session import open_session, translated
from ingestion.sources.types import Principals
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchFailed

_PORT: Final = 22
_MAX_DEPTH: Final = 50  # folders in each other
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
        self._listed("")

    def changes(self, cursor: str) -> Iterator[Change]:
        yield from self._below("", depth=0)
        yield ListingEnd(complete=True)

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

    def _below(self, folder: str, *, depth: int) -> Iterator[Change]:
        try:
            entries = self._listed(folder)
        except ItemVanished as error:
            if not folder:
                raise FetchFailed(_("The folder is not there.")) from error
            return
        except KnowledgeTreeError as error:
            if not folder or error.retryable:
                raise
            yield ClosedPart(path=folder, error=error)
            return
        for told in entries:
            path = f"{folder}/{told.filename}".lstrip("/")
            if S_ISREG(told.st_mode or 0):
                yield ListedItem(path=path, version=_version(told), size=told.st_size)
            elif S_ISDIR(told.st_mode or 0) and depth < _MAX_DEPTH:
                yield from self._below(path, depth=depth + 1)

    def _listed(self, folder: str) -> list[paramiko.SFTPAttributes]:
        """By name. Not by paramiko's `listdir_iter`, which takes a connection that broke off for the end."""
        session = self._session
        with translated():
            entries = session.listdir_attr(f"{self._root}/{folder}" if folder else self._root or "/")
        return sorted((one for one in entries if "/" not in one.filename), key=lambda one: one.filename)


def _version(told: paramiko.SFTPAttributes) -> str:
    return f"{told.st_mtime}:{told.st_size}"
