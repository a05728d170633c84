"""Documents: taken in, indexed again, archived, deleted."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext as _

from ingestion import jobs
from ingestion.embedding.cache import forget_texts
from ingestion.errors import DocumentTooLarge, EmptyDocument
from ingestion.index import remove_document
from ingestion.models import Collection, Document, EmbeddingSpace, Job, Source
from ingestion.vectors import draft_of, embedded_texts
from knowledgetree.conf import rag_settings


@transaction.atomic
def add_document(
    *,
    collection: Collection,
    name: str,
    content: bytes,
    uri: str = "",
    title: str = "",
    category: str = "",
    tags: Sequence[str] = (),
    version: str = "",
    valid_from: date | None = None,
    valid_to: date | None = None,
    language: str = "pl",
    metadata: Mapping[str, Any] | None = None,
    source: Source | None = None,
    enqueue: bool = True,
) -> Document:
    """Keep the original and have it indexed.

    The same `uri` again replaces the document; unchanged content costs nothing. `uri` defaults to the file name.
    Without `enqueue` the caller runs the waiting job itself. Raises DocumentTooLarge or EmptyDocument before anything
    is stored.
    """
    _check_size(name, content)
    name = PurePath(name.replace("\\", "/")).name[:300] or _("untitled")
    checksum = hashlib.sha256(content).hexdigest()
    fields = {
        "title": title or name,
        "file_name": name,
        "size": len(content),
        "language": language,
        "category": category,
        "tags": list(tags),
        "version": version,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "metadata": dict(metadata or {}),
        "source": source,
    }
    document = Document.objects.select_for_update().filter(collection=collection, uri=uri or name).first()
    if document and _unchanged(document, checksum, fields):
        return document
    document = document or Document(collection=collection, uri=uri or name)
    for field, value in fields.items():
        setattr(document, field, value)
    if document.checksum != checksum:
        _forget_original(document.file.name, document.checksum)
    document.file.name = _store_original(checksum, content)
    document.checksum = checksum
    document.status = Document.Status.READY if document.chunk_count else Document.Status.QUEUED
    document.save()
    queue_indexing(document, enqueue=enqueue)
    return document


@transaction.atomic
def reindex_document(*, document: Document) -> Job:
    """Index the stored original again, for instance after the settings of chunking changed."""
    return queue_indexing(document)


@transaction.atomic
def archive_document(*, document: Document) -> None:
    """Take the document out of search; it stays in the admin and can be restored."""
    Document.objects.select_for_update().get(pk=document.pk)
    Job.objects.filter(document=document, status=Job.Status.QUEUED).update(status=Job.Status.CANCELLED)
    remove_document(document)
    document.status = Document.Status.ARCHIVED
    document.save(update_fields=["status", "modified"])


@transaction.atomic
def restore_document(*, document: Document) -> Job:
    document.status = Document.Status.QUEUED
    document.save(update_fields=["status", "modified"])
    return queue_indexing(document)


@transaction.atomic
def delete_document(*, document: Document) -> None:
    """The document, its chunks, vectors and postings; and its original, unless another document has the same."""
    Document.objects.select_for_update().filter(pk=document.pk).first()
    _forget_vectors(document)
    remove_document(document)
    path, checksum = document.file.name, document.checksum
    document.delete()
    _forget_original(path, checksum)


def _forget_vectors(document: Document) -> None:
    """Those that are kept by the hash of their text, so that nothing of the document outlives it."""
    drafts = [draft_of(chunk) for chunk in document.chunks.all()]
    for space in EmbeddingSpace.objects.all():
        texts = [text for draft in drafts for text in embedded_texts(draft, title=document.title, space=space)]
        forget_texts(texts, space=space)


def queue_indexing(document: Document, *, enqueue: bool = True) -> Job:
    """The job that will index the document; the one already waiting, if there is one."""
    waiting = Job.objects.filter(document=document, kind=Job.Kind.INDEX_DOCUMENT, status=Job.Status.QUEUED).first()
    if waiting:
        return waiting
    job = Job.objects.create(kind=Job.Kind.INDEX_DOCUMENT, document=document, collection=document.collection)
    if enqueue:
        jobs.enqueue(job)
    return job


def _check_size(name: str, content: bytes) -> None:
    limit = rag_settings().ingestion.max_bytes
    if len(content) > limit:
        raise DocumentTooLarge(
            _("%(name)s has %(size).1f MB; the limit is %(limit).1f MB.")
            % {"name": name, "size": len(content) / 1e6, "limit": limit / 1e6}
        )
    if not content:
        raise EmptyDocument(_("%(name)s is empty.") % {"name": name})


def _unchanged(document: Document, checksum: str, fields: Mapping[str, Any]) -> bool:
    """Whether there is nothing to do. A title read from the file's own text does not count as a change."""
    same = all(
        getattr(document, field) == value
        for field, value in fields.items()
        if field != "title" or value != fields["file_name"]
    )
    settled = document.status in {Document.Status.READY, Document.Status.QUEUED, Document.Status.PROCESSING}
    return same and settled and document.checksum == checksum and not document.error_code


def _store_original(checksum: str, content: bytes) -> str:
    """Originals are kept once, by content."""
    path = f"originals/{checksum[:2]}/{checksum}"
    return path if default_storage.exists(path) else default_storage.save(path, ContentFile(content))


def _forget_original(path: str | None, checksum: str) -> None:
    """Delete it once the transaction is committed, unless a document then has the same content."""

    def forget() -> None:
        if path and not Document.objects.filter(checksum=checksum).exists():
            default_storage.delete(path)

    transaction.on_commit(forget)
