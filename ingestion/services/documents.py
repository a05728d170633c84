"""Documents: taken in, indexed again, archived, brought back, deleted."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.embedding.cache import forget_texts
from ingestion.errors import IngestionError
from ingestion.index.vectors import draft_of, embedded_texts
from ingestion.index.writing import remove_document
from ingestion.models import Collection, Document, DocumentVersion, EmbeddingSpace, Job, Source
from ingestion.models.descriptions import DescribedFields
from ingestion.models.viewers import Viewer
from ingestion.services.files.arrivals import PastContent, take_in
from ingestion.services.files.originals import Content, forget_original
from ingestion.services.indexing import queue_indexing
from ingestion.services.versions import close_version, forget_versions, note_version, standing_of
from ingestion.sources.types import Revision
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record


def add_document(
    *,
    collection: Collection,
    name: str,
    content: Content,
    uri: str = "",
    place: str = "",
    source: Source | None = None,
    author: Viewer | None = None,
    from_archive: bool = False,
    enqueue: bool = True,
    earlier: Iterable[PastContent] = (),
    revision: Revision | None = None,
    **said: Unpack[DescribedFields],
) -> Document:
    """Take the document in, see `take_in`."""
    arrival = take_in(
        collection=collection, name=name, content=content, uri=uri, place=place, source=source, author=author,
        from_archive=from_archive, enqueue=enqueue, earlier=earlier, revision=revision, **said,
    )  # fmt: skip
    return arrival.document


@transaction.atomic
def reindex_document(*, document: Document) -> Job:
    """Index the stored original again, for instance after the settings of chunking changed."""
    return queue_indexing(document)


@transaction.atomic
def change_file_name(*, document: Document, name: str) -> None:
    """Give its original another name, by which it is told what kind of file it is, and read it so. One of the archive
    stays there.
    """
    Document.objects.filter(pk=document.pk).update(file_name=name)
    document.file_name = name
    if document.status != Document.Status.ARCHIVED:
        queue_indexing(document)


@transaction.atomic
def archive_document(*, document: Document) -> None:
    """Take the document out of search; it stays in the admin and can be restored."""
    Document.objects.select_for_update().get(pk=document.pk)
    Job.objects.filter(document=document, status=Job.Status.QUEUED).update(status=Job.Status.CANCELLED)
    remove_document(document)
    document.status = Document.Status.ARCHIVED
    document.save(update_fields=["status", "modified"])
    record(AuditEntry.Action.UPDATE, outcome="archived", documents=[document.pk])


@transaction.atomic
def restore_document(*, document: Document) -> Job:
    document.status = Document.Status.QUEUED
    document.save(update_fields=["status", "modified"])
    record(AuditEntry.Action.UPDATE, outcome="restored", documents=[document.pk])
    return queue_indexing(document)


@transaction.atomic
def restore_version(*, version: DocumentVersion, author: Viewer | None) -> Job:
    """Make the old content the current one, as a new version; it is read from its original again."""
    document = Document.objects.select_for_update().get(pk=version.document_id)
    if document.checksum == version.checksum:
        raise IngestionError(_("This version is the current one."))
    if not version.file.name or not version.file.storage.exists(version.file.name):
        raise IngestionError(_("The original of this version is gone."))
    close_version(document, standing_of(document))
    document.file.name, document.file_name = version.file.name, version.file_name
    document.checksum, document.size, document.version = version.checksum, version.size, version.label
    document.given = {**document.given, "version": version.label}
    if document.status != Document.Status.ARCHIVED and not document.chunk_count:
        document.status = Document.Status.QUEUED
    document.save()
    note_version(document, author=author)
    record(AuditEntry.Action.UPDATE, outcome="earlier_version", documents=[document.pk])
    return queue_indexing(document)


@transaction.atomic
def delete_document(*, document: Document) -> None:
    """The document, its chunks, vectors, postings and versions; and originals that no other document has.

    Answers that quote it keep their quotes: see `ingestion.services.erasure` for a document that must not be known.
    """
    Document.objects.select_for_update().filter(pk=document.pk).first()
    for copy in Document.of_all_times.filter(trial_of=document):
        delete_copy(copy)
    forget_vectors(document)
    remove_document(document)
    forget_versions(document)
    path, checksum = document.file.name, document.checksum
    record(AuditEntry.Action.DELETE, documents=[document.pk], collections=[document.collection_id])
    document.delete()
    forget_original(path, checksum)


def delete_copy(copy: Document, *, vectors: bool = False) -> None:
    """Take a copy on trial away; its file is its original's. With `vectors` those stay that are kept by their text."""
    if not vectors:
        forget_vectors(copy)
    remove_document(copy)
    copy.delete()


def forget_vectors(document: Document) -> None:
    """Those that are kept by the hash of their text, so that nothing of the document outlives it."""
    for earlier in Document.earlier_ones.filter(earlier__document=document):
        forget_vectors(earlier)
    chunks = list(document.chunks.all())
    drafts = [draft_of(chunk) for chunk in chunks]
    drafts += [replace(draft_of(chunk), text=chunk.original_text) for chunk in chunks if chunk.edited]
    for space in EmbeddingSpace.objects.all():
        texts = [text for draft in drafts for text in embedded_texts(draft, title=document.title, space=space)]
        forget_texts(texts, space=space)
