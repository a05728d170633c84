"""Documents: taken in, indexed again, archived, deleted."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal, Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from ingestion import jobs
from ingestion.embedding.cache import forget_texts
from ingestion.errors import DocumentTooLarge, EmptyDocument, IngestionError, InvalidValidity
from ingestion.index import remove_document
from ingestion.models import Collection, Document, DocumentVersion, EmbeddingSpace, Job, Source
from ingestion.models.described import Said, is_in_order, own_value, take_word
from ingestion.models.sources import Viewer
from ingestion.services.originals import forget_original, store_original, without_orphan
from ingestion.services.versions import forget_versions, note_first_version, note_version
from ingestion.vectors import draft_of, embedded_texts
from knowledgetree.conf import rag_settings

_SETTLED = {Document.Status.READY, Document.Status.QUEUED, Document.Status.PROCESSING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A document that came in: `new`, a new `version` of it, other `fields` for the same content (or the same read
    once more), `unchanged`; or `archived`: it stays in the archive as it was.
    """

    document: Document
    outcome: Literal["new", "version", "fields", "unchanged", "archived"]


def add_document(
    *,
    collection: Collection,
    name: str,
    content: bytes,
    uri: str = "",
    source: Source | None = None,
    author: Viewer | None = None,
    from_archive: bool = False,
    enqueue: bool = True,
    **said: Unpack[Said],
) -> Document:
    """Take the document in, see `take_in`."""
    arrival = take_in(
        collection=collection, name=name, content=content, uri=uri, source=source, author=author,
        from_archive=from_archive, enqueue=enqueue, **said,
    )  # fmt: skip
    return arrival.document


def take_in(
    *,
    collection: Collection,
    name: str,
    content: bytes,
    uri: str = "",
    source: Source | None = None,
    author: Viewer | None = None,
    from_archive: bool = False,
    enqueue: bool = True,
    **said: Unpack[Said],
) -> Arrival:
    """Keep the original and have it indexed.

    The same `uri` again is the same document: other content is a new version by `author`, unchanged content costs
    nothing. Of its fields those that are `said` are set, but for what an editor set (`ingestion.models.described`).
    `uri` defaults to the file name. An archived document is left alone, or comes back with `from_archive`.
    Without `enqueue` the caller runs the waiting job itself. Raises DocumentTooLarge, EmptyDocument or InvalidValidity
    before anything is stored.
    """
    _check_size(name, content)
    name, checksum = file_name_of(name), hashlib.sha256(content).hexdigest()
    with without_orphan(checksum):
        hold_names(collection)
        document = Document.objects.select_for_update().filter(collection=collection, uri=uri or name).first()
        if document is None:
            document, said = Document(collection=collection, uri=uri or name, title=name), {"title": "", **said}
        elif document.status == Document.Status.ARCHIVED and not from_archive:
            return Arrival(document=document, outcome="archived")
        is_new, has_new_content = document.pk is None, document.checksum != checksum
        has_new_name, before = document.file_name != name, (document.given, document.source)
        document.file_name, document.source = name, source or document.source
        changed = take_word(document, said)
        if not is_in_order(own_value(document, "valid_from"), own_value(document, "valid_to")):
            raise InvalidValidity
        if has_new_content or has_new_name or "title" in changed or not _is_settled(document):
            _take_content(document, content, checksum, author=author)
            queue_indexing(document, enqueue=enqueue)
        elif changed or before != (document.given, document.source):
            document.save()
        else:
            return Arrival(document=document, outcome="unchanged")
    return Arrival(document=document, outcome="new" if is_new else "version" if has_new_content else "fields")


def file_name_of(name: str) -> str:
    """The name of an uploaded file without folders."""
    return PurePath(name.replace("\\", "/")).name[:300] or _("untitled")


def hold_names(collection: Collection) -> None:
    """Until the end of the transaction nobody else brings a document into the collection, so that of two with one name
    the second sees the first. Take it before the lock of a document.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)


def _take_content(document: Document, content: bytes, checksum: str, *, author: Viewer | None) -> None:
    """Save the document with its original, which may have been damaged or lost; other content is a new version."""
    is_version = document.checksum != checksum
    if is_version and document.pk:
        note_first_version(document)
        forget_original(document.file.name, document.checksum)
    document.file.name = store_original(checksum, content)
    document.checksum, document.size = checksum, len(content)
    document.status = Document.Status.READY if document.chunk_count else Document.Status.QUEUED
    document.save()
    if is_version:
        note_version(document, author=author)


def _is_settled(document: Document) -> bool:
    """Whether it is searched or will be, so that the same content need not be read again."""
    return document.status in _SETTLED and not document.error_code


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
    document.given = {**document.given, "version": version.label}
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
