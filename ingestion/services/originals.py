"""The files that documents were read from: kept once, by content, as long as a document or a version has it."""

import hashlib
from contextlib import suppress

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.errors import StorageFailed
from ingestion.models import Document, DocumentVersion


def store_original(checksum: str, content: bytes) -> str:
    """Its path. What a full disk or a power cut once left unfinished under it is written anew. Raises StorageFailed."""
    path = f"originals/{checksum[:2]}/{checksum}"
    try:
        if default_storage.exists(path):
            if _is_whole(path, checksum):
                return path
            default_storage.delete(path)
        return default_storage.save(path, ContentFile(content))
    except OSError as error:
        with suppress(OSError):
            default_storage.delete(path)
        raise StorageFailed(_("The file cannot be stored (%(error)s).") % {"error": error.strerror or error}) from error


def _is_whole(path: str, checksum: str) -> bool:
    with default_storage.open(path) as original:
        return hashlib.sha256(original.read()).hexdigest() == checksum


def forget_original(path: str | None, checksum: str) -> None:
    """Delete it once the transaction is committed, unless something then has the same content."""

    def forget() -> None:
        if path and not any(rows.filter(checksum=checksum).exists() for rows in _OWNERS):
            default_storage.delete(path)

    transaction.on_commit(forget)


_OWNERS = (Document.objects.all(), DocumentVersion.objects.all())
