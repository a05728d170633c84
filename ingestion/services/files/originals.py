"""The files that documents were read from: kept once, by content, as long as a document or a version has it."""

import hashlib
import logging
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TypeAlias

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.db import Error, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.errors import STORE_REMEDY, StorageFailed
from ingestion.models import Document, DocumentVersion
from knowledgetree.postgres.locks import Lock, hold_all
from knowledgetree.storage.failures import StoreFailed

log = logging.getLogger("knowledgetree.originals")

Content: TypeAlias = "bytes | File[bytes]"
"""Of a document that comes in. What is large comes as a file, which is read in pieces and never held whole."""

_FOLDER = "originals"


def as_file(content: Content) -> "File[bytes]":
    return ContentFile(content) if isinstance(content, bytes) else content


def checksum_of(file: "File[bytes]") -> str:
    """SHA-256, the name that its original is kept under."""
    digest = hashlib.sha256()
    for piece in file.chunks():
        digest.update(piece)
    return digest.hexdigest()


@contextmanager
def without_orphan(checksum: str) -> Iterator[None]:
    """A transaction that may store the original; where it fails, no original is left that no row has."""
    try:
        with transaction.atomic():
            yield
    except BaseException:
        with suppress(Error, OSError):  # what the way out of an error cannot delete, a night does: `forget_orphans`
            _forget_unowned(_path(checksum), checksum)
        raise


def store_original(checksum: str, content: "File[bytes]") -> str:
    """Its path; until the end of the transaction nobody deletes it. What a full disk or a power cut once left
    unfinished under it is written anew. Raises StorageFailed.
    """
    _hold([checksum])
    return _store(checksum, content)


def store_originals(contents: Mapping[str, bytes]) -> dict[str, str]:
    """The paths of originals, all given by checksum, as `store_original` does it one by one."""
    _hold(contents)
    return {checksum: _store(checksum, as_file(content)) for checksum, content in contents.items()}


def _store(checksum: str, content: "File[bytes]") -> str:
    path = _path(checksum)
    try:
        if default_storage.exists(path):
            if _is_whole(path, checksum):
                return path
            default_storage.delete(path)
        return default_storage.save(path, content)
    except OSError as error:
        with suppress(OSError):
            default_storage.delete(path)
        remedy = STORE_REMEDY if isinstance(error, StoreFailed) else ""
        said = _("The file cannot be stored (%(error)s).") % {"error": error.strerror or error}
        raise StorageFailed(said, remedy=remedy) from error


def _is_whole(path: str, checksum: str) -> bool:
    with default_storage.open(path) as original:
        return checksum_of(original) == checksum


def forget_original(path: str | None, checksum: str) -> None:
    """Delete it once the transaction is committed, unless something then has the same content."""

    def forget() -> None:
        try:
            if path:
                _forget_unowned(path, checksum)
        except OSError as error:  # its rows are gone already; a night deletes it: `forget_orphans`
            log.warning("an original could not be deleted yet", extra={"fields": {"error": str(error)}})

    transaction.on_commit(forget)


def forget_orphans() -> int:
    """Delete the originals that no row has: of what was killed between its file and its row. How many.

    Those of the last day stay, as their row may be on its way.
    """
    forgotten, young = 0, timezone.now() - timedelta(days=1)
    for checksum in unowned_originals():
        if default_storage.get_modified_time(_path(checksum)) < young:
            _forget_unowned(_path(checksum), checksum)
            forgotten += 1
    return forgotten


def unowned_originals() -> list[str]:
    """The originals that no row has, by their checksum."""
    found: set[str] = set()
    for folder in _listed(_FOLDER)[0]:
        names = set(_listed(f"{_FOLDER}/{folder}")[1])
        for rows in _OWNERS:
            names -= set(rows.filter(checksum__in=names).values_list("checksum", flat=True))
        found |= names
    return sorted(found)


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """Folders and files. A folder is there with its first file; a bucket has none that one could ask for."""
    try:
        return default_storage.listdir(folder)
    except FileNotFoundError:
        return [], []


def _forget_unowned(path: str, checksum: str) -> None:
    """Whoever is storing the same content at this moment goes first; its row is then seen."""
    with transaction.atomic():
        _hold([checksum])
        if not any(rows.filter(checksum=checksum).exists() for rows in _OWNERS):
            default_storage.delete(path)


def _hold(checksums: Iterable[str]) -> None:
    hold_all(
        Lock.ORIGINAL, [zlib.crc32(checksum.encode()) - 2**31 for checksum in checksums]
    )  # as PostgreSQL's integer


def _path(checksum: str) -> str:
    return f"{_FOLDER}/{checksum[:2]}/{checksum}"


_OWNERS = (Document.objects.all(), DocumentVersion.objects.all())
