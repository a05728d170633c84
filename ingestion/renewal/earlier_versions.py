"""What documents said earlier, indexed beside what they say now: in archives, which only a search by date opens."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from ingestion.chunking.splitting import chunking_of, mark, split
from ingestion.index.findings import write_personal_data
from ingestion.index.writing import IndexedChunk, IndexedText, ready, remove_document, write_chunks, writing
from ingestion.models import Collection, Document, DocumentVersion, Extraction
from ingestion.pipeline import indexed_chunks
from ingestion.types import ChunkDraft, ExtractedText, Page
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.copying import copy_models


def unindexed_versions() -> QuerySet[DocumentVersion]:
    """Versions that are over, whose text is known, and which held for a time, without an index yet."""
    return DocumentVersion.objects.filter(indexed=None, valid_to__isnull=False).exclude(text="")


def index_earlier_versions(document: Document) -> int:
    """Index the versions of the document that have none yet; how many. From their texts: no file is read again, and
    the vectors of what they have in common with each other are known.
    """
    waiting = unindexed_versions().filter(document=document).select_related("document__collection").order_by("number")
    return sum(_index(version) for version in waiting)


def remove_earlier(version: DocumentVersion) -> None:
    """Take the version out of the index, where it is in it."""
    for document in Document.earlier_ones.filter(earlier=version):
        remove_document(document)
        document.delete()


def ensure_archive(collection: Collection) -> Collection:
    """The archive of `collection`, made where it has none. Its identifier is none that a person could give."""
    archive, _is_new = Collection.with_archives.get_or_create(
        archive_of=collection, defaults={"slug": f"~{collection.pk}", "name": collection.name}
    )
    return archive


def _index(version: DocumentVersion) -> bool:
    """False where it was indexed or forgotten meanwhile."""
    document = _as_document(version)
    settings = rag_settings().ingestion.chunking
    chunking = chunking_of(version.document.collection, settings)
    text = _text_of(version)
    drafts: list[ChunkDraft] = split(text, chunking, settings)
    (chunks,) = indexed_chunks([(document, drafts)], lambda stage, done, total: None)
    with writing(lambda: (word for chunk in chunks for word in chunk.words)) as terms:
        # Whoever forgets versions holds their document.
        current = Document.objects.select_for_update().filter(pk=version.document_id).first()
        if current is None or not DocumentVersion.objects.filter(pk=version.pk, indexed=None).exists():
            return False
        document.collection = ensure_archive(current.collection)
        document.readership_id = current.readership_id
        document.save()
        _write(document, text, chunks, terms, chunking=mark(chunking, settings))
        if current.status == Document.Status.ARCHIVED:
            Document.earlier_ones.filter(pk=document.pk).update(status=current.status)
    return True


def _write(
    document: Document,
    text: ExtractedText,
    chunks: list[IndexedChunk],
    terms: dict[str, int],
    *,
    chunking: Mapping[str, Any],
) -> None:
    """Without sketches: a version is like the others of its document by nature, and is in no list of duplicates."""
    extraction = Extraction(
        document=document,
        extractor=text.extractor,
        text=text.text,
        page_starts=[page.start for page in text.pages],
        checksum=document.checksum,
    )
    (extraction,) = copy_models([extraction])
    write_chunks([(extraction, chunks)], terms)
    write_personal_data([extraction])
    indexed = ready([IndexedText(extracted=text, chunks=chunks)], chunking)
    Document.earlier_ones.filter(pk=document.pk).update(**indexed)


def _as_document(version: DocumentVersion) -> Document:
    """The row of what the document said then, unsaved: the content is the version's, the rest the document's."""
    now = version.document
    return Document(
        earlier=version,
        title=version.title or now.title,
        uri=now.uri,
        source_id=now.source_id,
        file=version.file.name,
        file_name=version.file_name,
        media_type=now.media_type,
        checksum=version.checksum,
        size=version.size,
        language=now.language,
        category=now.category,
        tags=now.tags,
        version=version.label,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        metadata=now.metadata,
    )


def _text_of(version: DocumentVersion) -> ExtractedText:
    starts = version.page_starts
    ends = [*starts[1:], len(version.text)]
    pages = (Page(number=n, start=a, end=b) for n, (a, b) in enumerate(zip(starts, ends, strict=False), start=1))
    return ExtractedText(text=version.text, extractor=version.extractor or "plain", pages=tuple(pages))
