"""The graph of names for what is already indexed: after an upgrade, a change of the glossary or of the model."""

from collections.abc import Callable, Sequence
from itertools import groupby

from django.db import transaction
from django.db.models import QuerySet

from ingestion.index.graph import NAMES_VERSION, remove_mentions
from ingestion.index.writing import write_names
from ingestion.models import Chunk, Document, Entity
from ingestion.types import Progress, no_progress

_BATCH = 250  # documents a transaction; more save nothing


def refresh_entities(
    *, missing_only: bool = True, stopped: Callable[[], bool] = lambda: False, progress: Progress = no_progress
) -> int:
    """Recognise what the documents name; how many were read. Can be stopped at any time: what is done is done.

    `missing_only`: those that an older release read, or none. `stopped` is asked between batches.
    """
    waiting = outdated_documents() if missing_only else Document.objects.filter(chunk_count__gt=0)
    keys = list(waiting.order_by("collection_id", "pk").values_list("collection_id", "pk"))
    done = 0
    for collection_id, rows in groupby(keys, key=lambda row: row[0]):
        documents = [key for _, key in rows]
        for start in range(0, len(documents), _BATCH):
            if stopped():
                return done
            batch = documents[start : start + _BATCH]
            _refresh(collection_id, batch)
            done += len(batch)
            progress(done, len(keys))
    Entity.objects.filter(chunks=0).delete()
    return done


def outdated_documents() -> QuerySet[Document]:
    """Those whose names an older release recognised."""
    return Document.objects.filter(chunk_count__gt=0, names_version__lt=NAMES_VERSION)


@transaction.atomic
def _refresh(collection_id: int, document_ids: Sequence[int]) -> None:
    """Holds the documents, whose chunks nobody can then replace."""
    held = list(
        Document.objects.select_for_update().filter(pk__in=document_ids, collection=collection_id).order_by("pk")
    )
    chunks = list(Chunk.objects.filter(document__in=held).select_related("document").order_by("pk"))
    remove_mentions([chunk.pk for chunk in chunks])
    write_names(collection_id, [chunk for chunk in chunks if chunk.enabled])
    Document.objects.filter(pk__in=[document.pk for document in held]).update(names_version=NAMES_VERSION)
