"""Batches of documents: split, embedded together, written one by one."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db.models.functions import Length
from django.db.utils import InterfaceError, OperationalError
from django_q.exceptions import TimeoutException

from ingestion.chunking.splitting import chunking_of, mark
from ingestion.index.writing import grouped_like
from ingestion.models import Document, Extraction, Rechunking
from ingestion.pipeline import indexed_chunks
from ingestion.renewal.batches import work_in_batches
from ingestion.renewal.rechunking.pending_documents import next_documents
from ingestion.renewal.rechunking.swapping import SplitText, is_unchanged, note_mark, split_texts, swap
from knowledgetree.conf import ChunkingSettings, ReembeddingSettings, rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")

_DOCUMENTS = 16  # looked at for a batch
_CHARACTERS = 200_000  # of their texts, some hundred chunks; a longer document is a batch by itself
_PASSING = (KnowledgeTreeError, OperationalError, InterfaceError, TimeoutException)  # no fault of the text


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """`done`: how many documents have their chunks; `unsplit`: the keys of those at which the chunker failed."""

    done: int
    unsplit: tuple[int, ...] = ()


def rechunk(
    rechunking: Rechunking, settings: ReembeddingSettings, report: Callable[[Batch], None], *, seconds: float
) -> bool:
    """Split documents for about `seconds`; whether none is left. What happens to a document meanwhile goes before."""

    def rechunk_and_report(documents: Sequence[Document]) -> bool:
        written = rechunk_documents(documents)
        rechunking.unsplit = [*rechunking.unsplit, *written.unsplit]
        report(written)
        return bool(written.done or written.unsplit)

    return work_in_batches(
        lambda position: _next_batch(rechunking, after=position),
        rechunk_and_report,
        key=lambda document: document.pk,
        wished=lambda: goes_on(rechunking),
        settings=settings,
        seconds=seconds,
    )


def goes_on(rechunking: Rechunking) -> bool:
    """Whether it still is wished as it is known here."""
    same = {"pk": rechunking.pk, "status": Rechunking.Status.RUNNING, "backwards": rechunking.backwards}
    return Rechunking.objects.filter(**same).exists()


def rechunk_documents(documents: Sequence[Document]) -> Batch:
    """Give each document the chunks that its collection, as it is given, has them made into; those that have them
    already, or changed meanwhile, are left.
    """
    settings = rag_settings().ingestion.chunking
    split, unsplit = [], []
    for document in documents:
        extractions = list(document.extractions.order_by("pk"))
        chunking = chunking_of(document.collection, settings)
        try:
            split.append((document, split_texts(document, extractions, chunking, settings)))
        except _PASSING:
            raise
        except Exception:
            log.exception("a text could not be split", extra={"fields": {"document": document.pk}})
            unsplit.append(document.pk)
    return Batch(done=_write(split, settings), unsplit=tuple(unsplit))


def catch_up(document: Document) -> None:
    """Split the document once more where its collection's chunking was changed while its file was read."""
    settings = rag_settings().ingestion.chunking
    now = Document.objects.readable().select_related("collection").filter(pk=document.pk, chunk_count__gt=0).first()
    if now and now.chunking != mark(chunking_of(now.collection, settings), settings):
        rechunk_documents([now])


def _write(split: Sequence[tuple[Document, Sequence[SplitText]]], settings: ChunkingSettings) -> int:
    changed = [(document, texts) for document, texts in split if not is_unchanged(document, texts)]
    drafts = [(document, text.drafts) for document, texts in changed for text in texts]
    chunks = grouped_like([texts for _, texts in changed], indexed_chunks(drafts, lambda stage, done, total: None))
    new = {
        document.pk: [(text.extraction, its) for text, its in zip(texts, of_texts, strict=True)]
        for (document, texts), of_texts in zip(changed, chunks, strict=True)
    }
    written = 0
    for document, texts in split:
        wanted = mark(chunking_of(document.collection, settings), settings)
        if document.pk in new:
            written += swap(document, new[document.pk], mark=wanted)
        else:
            written += note_mark(document, [text.extraction for text in texts], mark=wanted)
    return written


def _next_batch(rechunking: Rechunking, *, after: int) -> list[Document]:
    settings = rag_settings().ingestion.chunking
    found = list(next_documents(rechunking, settings, after=after, limit=_DOCUMENTS))
    return list(_that_fit(found))


def _that_fit(documents: Sequence[Document]) -> Iterable[Document]:
    lengths: dict[int, int] = {}
    of_documents = Extraction.objects.filter(document__in=documents).annotate(length=Length("text"))
    for key, length in of_documents.values_list("document_id", "length"):
        lengths[key] = lengths.get(key, 0) + length
    total = 0
    for document in documents:
        total += lengths.get(document.pk, 0)
        if total > _CHARACTERS and document is not documents[0]:
            return
        yield document
