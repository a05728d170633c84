"""Thousands of short texts into a collection at once: many documents a transaction, by the same steps as one document.

A document by itself costs some thirty statements and eight commits. That is right for a file somebody waits for; where
the file is a paragraph it is three quarters of the time.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from ingestion.chunking.splitting import chunking_of, mark, split
from ingestion.errors import IngestionError
from ingestion.index.publishing import publish_collection, published_meanwhile
from ingestion.index.spaces import ensure_active_space, living_spaces
from ingestion.index.writing import (
    IndexedText,
    ready,
    refresh_planner_statistics,
    remove_document,
    write_documents,
    writing,
)
from ingestion.models import Collection, CollectionStatistics, Document
from ingestion.pipeline import indexed_chunks
from ingestion.reading.registry import extract
from ingestion.renewal.reembedding.indexing import indexed_afterwards
from ingestion.selectors.index import indexed_lemmas
from ingestion.services.bulk import done_batches
from ingestion.services.documents import delete_document
from ingestion.services.files.originals import store_originals
from ingestion.text.analyser import analyser
from ingestion.text.index_format.chunk_words import searched_text
from ingestion.types import ChunkDraft, ExtractedText, Progress, no_progress
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.copying import copy_models

_BATCH = 250  # documents a transaction; more save nothing, fewer cost commits
LEAST_FOR_INDEX_AFTERWARDS = 5_000
"""Documents; the index of fewer grows with them in seconds."""

_STATE = ("checksum", "title", "metadata", "status")
_CODE = (
    "ingestion.text",
    "ingestion.chunking",
    "ingestion.reading",
    "ingestion.embedding",
    "ingestion.index.postings",
    "ingestion.index.publishing",
    "ingestion.index.vectors",
    "ingestion.index.writing",
    "ingestion.pipeline",
    "ingestion.services.corpora",
)


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
class CorpusBatch:
    """Entries that come in one transaction, in the place of the documents `old`. Not `counted`: as loaded documents."""

    collection_id: int
    entries: Sequence[CorpusEntry]
    old: Sequence[int]
    fingerprint: str
    vectors: bool
    counted: bool


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
    processes: int = 1,
) -> CorpusReport:
    """Make the documents of `collection` those of `entries`; what is unchanged costs one query for all.

    Unchanged means the same text and title, indexed by the same code and settings into the same spaces. Without
    `vectors` the chunks are found by their words alone. Thousands of documents are shared among so many `processes`,
    and their words are put into the lists at once: nobody finds a document before (`ingestion.index.publishing`), and
    whatever is killed meanwhile, the next call goes on from there.
    Near-duplicates are not looked for: that would cost more than all the rest, and `refresh_findings --all` does it.
    Raises ExtractionError for a text that cannot be read; batches before it stay.
    """
    publish_collection(collection.pk)
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
    many = len(fresh) >= LEAST_FOR_INDEX_AFTERWARDS
    batches = [
        CorpusBatch(
            collection_id=collection.pk,
            entries=fresh[start : start + _BATCH],
            old=[present[entry.uri]["pk"] for entry in fresh[start : start + _BATCH] if entry.uri in present],
            fingerprint=fingerprint,
            vectors=vectors,
            counted=not many,
        )
        for start in range(0, len(fresh), _BATCH)
    ]
    chunks = done = 0
    with _vectors_indexed(len(fresh) if vectors else 0), published_meanwhile(collection.pk) as publish:
        for batch, made in done_batches(batches, index_batch, processes=processes if many else 1):
            chunks += made
            done += len(batch.entries)
            publish(0 if batch.counted else len(batch.entries))
            progress(done, len(fresh))
    if chunks:
        refresh_planner_statistics()
    return CorpusReport(indexed=len(fresh), unchanged=len(wanted) - len(fresh), removed=len(removed), chunks=chunks)


def _vectors_indexed(documents: int) -> AbstractContextManager[None]:
    """Where so many documents come that there will be twice as many chunks as there were, their index is made last."""
    there = CollectionStatistics.objects.aggregate(chunks=Sum("chunks"))["chunks"] or 0
    if documents < max(LEAST_FOR_INDEX_AFTERWARDS, there):
        return nullcontext()
    return indexed_afterwards(ensure_active_space())


def _state(entry: CorpusEntry, fingerprint: str) -> dict[str, Any]:
    """What the row of an unchanged entry has in these fields."""
    return {
        "checksum": hashlib.sha256(entry.content).hexdigest(),
        "title": (entry.title or entry.uri)[:500],
        "metadata": {"corpus": fingerprint},
        "status": Document.Status.READY,
    }


def index_batch(batch: CorpusBatch) -> int:
    """Write one batch in the place of the documents `old`; the number of chunks."""
    settings = rag_settings().ingestion.chunking
    collection = Collection.objects.get(pk=batch.collection_id)
    chunking = chunking_of(collection, settings)
    read = [_read(collection, entry, batch.fingerprint) for entry in batch.entries]
    drafts = [(document, split(extracted, chunking, settings)) for document, extracted in read]
    _learn_lemmas(drafts)
    indexed = zip(read, indexed_chunks(drafts, lambda stage, done, total: None, embedded=batch.vectors), strict=True)
    made = [(document, [IndexedText(extracted=extracted, chunks=its)]) for (document, extracted), its in indexed]
    chunks = [chunk for _, texts in made for text in texts for chunk in text.chunks]
    checksums = [document.checksum for document, _ in read]
    state = {} if batch.counted else {"status": Document.Status.PROCESSING, "indexed": None}
    with writing(lambda: (word for chunk in chunks for word in chunk.words)) as terms:
        for document in Document.objects.select_for_update().filter(pk__in=batch.old):
            remove_document(document)
            document.delete()
        paths = store_originals({sha: entry.content for sha, entry in zip(checksums, batch.entries, strict=True)})
        for document, texts in made:
            document.file.name = paths[document.checksum]
            for field, value in (ready(texts, mark(chunking, settings)) | state).items():
                setattr(document, field, value)
        copy_models([document for document, _ in made])
        write_documents(made, terms, counted=batch.counted)
    return len(chunks)


def _learn_lemmas(drafts: Sequence[tuple[Document, Sequence[ChunkDraft]]]) -> None:
    """Of the words that the index has, whoever indexed them, lemmas are read from there: a hundredth of the time."""
    texts = (
        searched_text(title=document.title, headings=draft.heading_path, text=draft.text)
        for document, its in drafts
        for draft in its
    )
    analyser().learn(chain.from_iterable(map(analyser().pieces, texts)), indexed_lemmas)


def _read(collection: Collection, entry: CorpusEntry, fingerprint: str) -> tuple[Document, ExtractedText]:
    """The document, whose row is not saved yet, and its text."""
    settings = rag_settings().ingestion
    name = f"{entry.uri}.txt"
    media_type, extracted = extract(
        entry.content, name=name, max_bytes=settings.max_bytes, max_characters=settings.max_characters
    )
    document = Document(
        collection=collection,
        uri=entry.uri,
        file_name=name[:300],
        size=len(entry.content),
        media_type=media_type,
        **_state(entry, fingerprint),
    )
    return document, extracted


def _fingerprint(collection: Collection) -> str:
    """Of the code and the settings that make an index: one made by other code is not what would be measured."""
    settings = rag_settings().ingestion.chunking
    chunking = mark(chunking_of(collection, settings), settings)
    digest = hashlib.sha256(repr((chunking, [space.pk for space in living_spaces()])).encode())
    for path in code_of_index():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def code_of_index() -> list[Path]:
    """The files that decide what stands in an index, in a fixed order: named as modules, so that one that moved away
    is an error and not an index that is taken for fresh.
    """
    files = []
    for name in _CODE:
        path = Path(str(import_module(name).__file__))
        files += sorted(path.parent.rglob("*.*")) if path.name == "__init__.py" else [path]
    return [path for path in files if path.is_file() and path.suffix != ".pyc"]
