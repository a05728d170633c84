"""Thousands of short texts into a collection at once: many documents a transaction, by the same steps as one document.

A document by itself costs some thirty statements and eight commits. That is right for a file somebody waits for; where
the file is a paragraph it is three quarters of the time.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.chunking.splitting import chunking_of, mark, split
from ingestion.errors import IngestionError
from ingestion.index.graph import NAMES_VERSION
from ingestion.index.spaces import living_spaces, living_vectors
from ingestion.index.vectors import ChunkVectors
from ingestion.index.writing import (
    refresh_planner_statistics,
    remove_document,
    write_names,
    write_postings,
    write_vectors,
    writing,
)
from ingestion.models import Chunk, Collection, Document, Extraction
from ingestion.pipeline import searched_words
from ingestion.reading.registry import extract
from ingestion.services.documents import delete_document
from ingestion.services.files.originals import store_original
from ingestion.text.analyser import Word
from ingestion.types import ChunkDraft, ExtractedText, Progress, no_progress
from knowledgetree.conf import rag_settings

_BATCH = 250  # documents a transaction; more save nothing, fewer cost commits
_STATE = ("checksum", "title", "metadata", "status")
_CODE = ("text", "chunking", "reading", "embedding", "pipeline.py", "index/vectors.py", "services/corpora.py")


class InvalidCorpus(IngestionError):
    code = "invalid_corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusEntry:
    """One document: `uri` is its name in the corpus, unique."""

    uri: str
    title: str
    text: str

    @property
    def content(self) -> bytes:
        return (self.text.strip() or self.title or self.uri).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusReport:
    """Numbers of documents, and of the chunks made of those that were `indexed`."""

    indexed: int
    unchanged: int
    removed: int
    chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A document on its way: its row is not saved yet. `words` has those of each draft."""

    document: Document
    extracted: ExtractedText
    drafts: Sequence[ChunkDraft]
    words: Sequence[Sequence[Word]]


def read_corpus(path: Path) -> Iterator[CorpusEntry]:
    """The entries of a BEIR `corpus.jsonl`: {_id or id, title, text} a line. Raises InvalidCorpus, naming the line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidCorpus(_("%(path)s cannot be read: %(error)s") % {"path": path, "error": error}) from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                entry = json.loads(line)
                uri = str(entry["_id"] if "_id" in entry else entry["id"])
                yield CorpusEntry(uri=uri, title=entry.get("title") or "", text=entry.get("text") or "")
            except (ValueError, KeyError, TypeError) as error:
                raise InvalidCorpus(
                    _("%(path)s, line %(number)s: expected id, title and text.") % {"path": path, "number": number}
                ) from error


def index_corpus(
    *,
    collection: Collection,
    entries: Sequence[CorpusEntry],
    progress: Progress = no_progress,
    vectors: bool = True,
) -> CorpusReport:
    """Make the documents of `collection` those of `entries`; what is unchanged costs one query for all.

    Unchanged means the same text and title, indexed by the same code and settings into the same spaces. Without
    `vectors` the chunks are found by their words alone.
    Raises ExtractionError for a text that cannot be read; batches before it stay.
    """
    fingerprint = _fingerprint(collection)
    wanted = {entry.uri: entry for entry in entries}
    present = {row.pop("uri"): row for row in collection.documents.values("pk", "uri", *_STATE)}
    removed = [row["pk"] for uri, row in present.items() if uri not in wanted]
    for document in Document.objects.filter(pk__in=removed):
        delete_document(document=document)
    fresh = [
        entry
        for entry in wanted.values()
        if entry.uri not in present or not present[entry.uri].items() >= _state(entry, fingerprint).items()
    ]
    chunks = 0
    for start in range(0, len(fresh), _BATCH):
        batch = fresh[start : start + _BATCH]
        old = [present[entry.uri]["pk"] for entry in batch if entry.uri in present]
        chunks += _index(collection, batch, old, fingerprint, vectors=vectors)
        progress(start + len(batch), len(fresh))
    if chunks:
        refresh_planner_statistics()
    return CorpusReport(indexed=len(fresh), unchanged=len(wanted) - len(fresh), removed=len(removed), chunks=chunks)


def _state(entry: CorpusEntry, fingerprint: str) -> dict[str, Any]:
    """What the row of an unchanged entry has in these fields."""
    return {
        "checksum": hashlib.sha256(entry.content).hexdigest(),
        "title": (entry.title or entry.uri)[:500],
        "metadata": {"corpus": fingerprint},
        "status": Document.Status.READY,
    }


def _index(
    collection: Collection,
    entries: Sequence[CorpusEntry],
    old: Sequence[int],
    fingerprint: str,
    *,
    vectors: bool,
) -> int:
    """Write one batch in the place of the documents `old`; the number of chunks."""
    read = [_read(collection, entry, fingerprint) for entry in entries]
    embedded = _embed(read) if vectors else []
    with writing(lambda: (word for item in read for words in item.words for word in words)) as terms:
        for document in Document.objects.select_for_update().filter(pk__in=old):
            remove_document(document)
            document.delete()
        chunks = _create_rows(read)
        words = [words for item in read for words in item.words]
        write_postings(collection.pk, terms, ((row.pk, found) for row, found in zip(chunks, words, strict=True)))
        write_names(collection.pk, chunks)
        write_vectors((row.pk, found) for row, found in zip(chunks, embedded, strict=False))
    return len(chunks)


def _read(collection: Collection, entry: CorpusEntry, fingerprint: str) -> _Read:
    settings = rag_settings().ingestion
    name = f"{entry.uri}.txt"
    media_type, extracted = extract(
        entry.content, name=name, max_bytes=settings.max_bytes, max_characters=settings.max_characters
    )
    chunking = chunking_of(collection, settings.chunking)
    drafts = split(extracted, chunking, settings.chunking)
    document = Document(
        collection=collection,
        uri=entry.uri,
        file_name=name[:300],
        size=len(entry.content),
        media_type=media_type,
        chunk_count=len(drafts),
        chunking=mark(chunking, settings.chunking),
        names_version=NAMES_VERSION,
        indexed=timezone.now(),
        **_state(entry, fingerprint),
    )
    document.file.name = store_original(document.checksum, entry.content)
    words = [searched_words(draft, document.title) for draft in drafts]
    return _Read(document=document, extracted=extracted, drafts=drafts, words=words)


def _embed(read: Sequence[_Read]) -> list[dict[int, ChunkVectors]]:
    drafts = [draft for item in read for draft in item.drafts]
    return living_vectors(drafts, titles=[item.document.title for item in read for _ in item.drafts])


def _create_rows(read: Sequence[_Read]) -> list[Chunk]:
    Document.objects.bulk_create([item.document for item in read])
    extractions = Extraction.objects.bulk_create(
        Extraction(
            document=item.document,
            extractor=item.extracted.extractor,
            text=item.extracted.text,
            page_starts=[page.start for page in item.extracted.pages],
        )
        for item in read
    )
    return Chunk.objects.bulk_create(
        Chunk(
            document=item.document,
            extraction=extraction,
            collection_id=item.document.collection_id,
            ordinal=ordinal,
            **asdict(draft) | {"heading_path": list(draft.heading_path)},
        )
        for item, extraction in zip(read, extractions, strict=True)
        for ordinal, draft in enumerate(item.drafts)
    )


def _fingerprint(collection: Collection) -> str:
    """Of the code and the settings that make an index: one made by other code is not what would be measured."""
    package = Path(__file__).parents[1]
    files = [path for name in _CODE for path in sorted((package / name).rglob("*.*")) or [package / name]]
    settings = rag_settings().ingestion.chunking
    chunking = mark(chunking_of(collection, settings), settings)
    digest = hashlib.sha256(repr((chunking, [space.pk for space in living_spaces()])).encode())
    for path in files:
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
