"""Documents: taken in, indexed again, archived, deleted."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import PurePath
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from ingestion import jobs
from ingestion.embedding.cache import forget_texts
from ingestion.errors import DocumentTooLarge, EmptyDocument, IngestionError
from ingestion.index import remove_document
from ingestion.models import Collection, Document, DocumentVersion, EmbeddingSpace, Job, Source
from ingestion.models.sources import Viewer
from ingestion.services.originals import forget_original, store_original
from ingestion.services.versions import forget_versions, note_first_version, note_version
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
    author: Viewer | None = None,
    enqueue: bool = True,
) -> Document:
    """Keep the original and have it indexed.

    The same `uri` again replaces the document; unchanged content costs nothing, another one is a new version by
    `author`. `uri` defaults to the file name.
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
    if document:
        note_first_version(document)
    document = document or Document(collection=collection, uri=uri or name)
    for field, value in fields.items():
        setattr(document, field, value)
    is_new = document.checksum != checksum
    if is_new:
        forget_original(document.file.name, document.checksum)
    document.file.name = store_original(checksum, content)
    document.checksum = checksum
    document.status = Document.Status.READY if document.chunk_count else Document.Status.QUEUED
    document.save()
    if is_new:
        note_version(document, author=author)
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
def restore_version(*, version: DocumentVersion, author: Viewer | None) -> Job:
    """Make the old content the current one, as a new version; it is read from its original again."""
    document = Document.objects.select_for_update().get(pk=version.document_id)
    if document.checksum == version.checksum:
        raise IngestionError(_("This version is the current one."))
    if not version.file.name or not version.file.storage.exists(version.file.name):
        raise IngestionError(_("The original of this version is gone."))
    document.file.name, document.file_name = version.file.name, version.file_name
    document.checksum, document.size, document.version = version.checksum, version.size, version.label
    if document.status != Document.Status.ARCHIVED and not document.chunk_count:
        document.status = Document.Status.QUEUED
    document.save()
    note_version(document, author=author)
    return queue_indexing(document)


@transaction.atomic
def delete_document(*, document: Document) -> None:
    """The document, its chunks, vectors, postings and versions; and originals that no other document has.

    Answers that quote it keep their quotes: see `ingestion.services.erasure` for a document that must not be known.
    """
    Document.objects.select_for_update().filter(pk=document.pk).first()
    forget_vectors(document)
    remove_document(document)
    forget_versions(document)
    path, checksum = document.file.name, document.checksum
    document.delete()
    forget_original(path, checksum)


def forget_vectors(document: Document) -> None:
    """Those that are kept by the hash of their text, so that nothing of the document outlives it."""
    chunks = list(document.chunks.all())
    drafts = [draft_of(chunk) for chunk in chunks]
    drafts += [replace(draft_of(chunk), text=chunk.original_text) for chunk in chunks if chunk.edited]
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
