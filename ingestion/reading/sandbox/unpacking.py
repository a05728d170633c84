"""The files of a ZIP, unpacked in another process, batch by batch."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingestion.errors import DocumentTooLarge
from ingestion.reading.archives.unpacking import MAX_FILES, MAX_UNPACKED_BYTES
from ingestion.reading.containers import ZIP_MAGIC
from ingestion.reading.sandbox import warm
from ingestion.reading.sandbox.limits import ParsingLimits
from ingestion.reading.sandbox.messages import Unpacked, UnpackRequest
from ingestion.types import ArchivedFile

_BATCH_BYTES: Final = 30_000_000
_MAX_DEPTH: Final = 3  # archives in each other
BETWEEN: Final = "!"
"""Stands between the path of an archive and that of a file in it, as in addresses of Java's archives."""


def is_archive(name: str, content: bytes) -> bool:
    """A ZIP by its name too: many kinds of documents are ZIPs inside."""
    return name.lower().endswith(".zip") and content.startswith(ZIP_MAGIC)


def unpacked_files(content: bytes, *, limits: ParsingLimits, max_bytes: int) -> Iterator[ArchivedFile]:
    """Each file of the archive, those of archives in it under `inner.zip!path`. A file may have `max_bytes`.

    Raises ExtractionError for what cannot be opened or holds too much, maybe after some files were given.
    """
    yield from _Unpacking(limits, max_bytes).files(content, depth=1)


class _Unpacking:
    """Counts the files and bytes of an archive and of all archives in it."""

    def __init__(self, limits: ParsingLimits, max_bytes: int) -> None:
        self._limits, self._max_bytes = limits, max_bytes
        self._count = self._bytes = 0

    def files(self, content: bytes, *, depth: int) -> Iterator[ArchivedFile]:
        start: int | None = 0
        while start is not None:
            batch = self._batch(content, start)
            for told in batch.files:
                yield from self._file(ArchivedFile(path=told.path, content=told.content, trouble=told.trouble), depth)
            start = batch.following

    def _file(self, file: ArchivedFile, depth: int) -> Iterator[ArchivedFile]:
        self._count, self._bytes = self._count + 1, self._bytes + len(file.content)
        if self._count > MAX_FILES or self._bytes > MAX_UNPACKED_BYTES:
            raise DocumentTooLarge(_("The archives in the archive unpack to an unreasonable size."))
        if not is_archive(file.path, file.content):
            yield file
        elif depth == _MAX_DEPTH:
            trouble = _("Archives in each other are opened %(n)d deep.") % {"n": _MAX_DEPTH}
            yield ArchivedFile(path=file.path, trouble=trouble)
        else:
            for inner in self.files(file.content, depth=depth + 1):
                yield replace(inner, path=f"{file.path}{BETWEEN}{inner.path}")

    def _batch(self, content: bytes, start: int) -> Unpacked:
        request = UnpackRequest(
            start=start,
            batch_bytes=_BATCH_BYTES,
            max_bytes=self._max_bytes,
            language=get_language() or settings.LANGUAGE_CODE,
            seconds=self._limits.total_seconds,
        )
        return warm.kept.ask(request, content, Unpacked, limits=self._limits)
