"""The documents that are not split as their collections wish: a query, so that nothing is counted or remembered."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from ingestion.chunking.splitting import chunking_of, mark
from ingestion.index.edits import CHANGED_BY_HAND
from ingestion.models import Chunk, Collection, Document, Rechunking
from knowledgetree.conf import ChunkingSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Documents: `done` of `total` are split as wished; of the rest `kept` have chunks that an editor changed."""

    done: int
    total: int
    kept: int


def pending_documents(collections: Iterable[Collection], settings: ChunkingSettings) -> QuerySet[Document]:
    """Those that have chunks, and not as the collections, as they are given, have them made; in order."""
    wrong = Q(pk__in=[])
    for collection in collections:
        wrong |= Q(collection=collection) & ~Q(chunking=mark(chunking_of(collection, settings), settings))
    return Document.objects.readable().filter(wrong, chunk_count__gt=0).order_by("pk")


def changed_by_hand() -> Exists:
    """Whether an editor changed a chunk of the document or switched one off; splitting anew would undo that."""
    return Exists(Chunk.objects.filter(CHANGED_BY_HAND, document=OuterRef("pk")))


def next_documents(rechunking: Rechunking, settings: ChunkingSettings, *, after: int, limit: int) -> QuerySet[Document]:
    """The next documents to be split, above `after`, with their collections."""
    collections = list(rechunking.collections.all())
    wrong = pending_documents(collections, settings).exclude(pk__in=rechunking.unsplit)
    return wrong.filter(~changed_by_hand(), pk__gt=after).select_related("collection")[:limit]


def count_documents(rechunking: Rechunking, settings: ChunkingSettings) -> Counts:
    collections = list(rechunking.collections.all())
    documents = Document.objects.readable().filter(collection__in=collections, chunk_count__gt=0)
    wrong = pending_documents(collections, settings)
    left = wrong.aggregate(all=Count("pk"), kept=Count("pk", filter=changed_by_hand()))
    total = documents.count()
    return Counts(done=total - left["all"], total=total, kept=left["kept"])
