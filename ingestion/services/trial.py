"""Indexing on trial: how fast this installation indexes, and nothing of it stays."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from ingestion.index.vectors import draft_of
from ingestion.index.writing import IndexedText, write_documents, writing
from ingestion.models import Chunk, Collection, Document
from ingestion.pipeline import indexed_chunks
from ingestion.types import ChunkDraft, ExtractedText
from knowledgetree.postgres.copying import copy_models

_PASSAGES = 300
_PER_DOCUMENT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexingTrial:
    """`seconds` by stage of `Job.Stage`: analysing, embedding, writing."""

    passages: int
    seconds: dict[str, float]

    @property
    def a_second(self) -> float:
        return self.passages / sum(self.seconds.values())


def try_indexing(collection: Collection) -> IndexingTrial | None:
    """Index some 300 passages of the collection once more, in a transaction that is taken back. None of an empty one.

    The second of two runs counts: a worker that is at work has its dictionaries loaded. Reading files and splitting
    their texts, which depend on the files, are left out.
    """
    chunks = list(Chunk.objects.filter(collection=collection, enabled=True).order_by("pk")[:_PASSAGES])
    if not chunks:
        return None
    drafts = list(map(draft_of, chunks))
    return [_index_once(drafts) for _ in range(2)][-1]


@transaction.atomic
def _index_once(drafts: Sequence[ChunkDraft]) -> IndexingTrial:
    name = f"trial-{uuid.uuid4()}"
    collection = Collection.objects.create(slug=name, name=name)
    documents = [
        (Document(collection=collection, uri=str(place), title=name, status=Document.Status.READY), its)
        for place, its in enumerate(_in_documents(drafts))
    ]
    starts: dict[str, float] = {}

    def note(stage: str, done: int, total: int) -> None:
        starts.setdefault(stage, time.perf_counter())

    indexed = indexed_chunks(documents, note)
    with writing(lambda: (word for its in indexed for chunk in its for word in chunk.words)) as terms:
        copy_models([document for document, _ in documents])
        empty = ExtractedText(text="", extractor="trial")
        texts = [[IndexedText(extracted=empty, chunks=its)] for its in indexed]
        write_documents([(document, text) for (document, _), text in zip(documents, texts, strict=True)], terms)
    transaction.set_rollback(True)
    ends = [*list(starts.values())[1:], time.perf_counter()]
    seconds = {stage: end - start for (stage, start), end in zip(starts.items(), ends, strict=True)}
    return IndexingTrial(passages=len(drafts), seconds=seconds)


def _in_documents(drafts: Sequence[ChunkDraft]) -> list[Sequence[ChunkDraft]]:
    return [drafts[start : start + _PER_DOCUMENT] for start in range(0, len(drafts), _PER_DOCUMENT)]
