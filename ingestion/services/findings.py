"""Near-duplicates and personal data of what is already indexed: after an upgrade, or when the patterns have changed."""

from django.db import transaction
from django.db.models import QuerySet

from ingestion.index.duplicates import note_similar_documents, remove_sketches, write_sketches
from ingestion.index.findings import write_personal_data
from ingestion.models import Document, PersonalData
from ingestion.types import Progress, no_progress


def refresh_findings(*, missing_only: bool = True, progress: Progress = no_progress) -> int:
    """Look through the indexed documents; how many. Can be stopped at any time: what is done is done.

    `missing_only`: documents that were never looked through.
    """
    waiting = unread_documents() if missing_only else Document.objects.filter(chunk_count__gt=0)
    keys = list(waiting.order_by("pk").values_list("pk", flat=True))
    for done, key in enumerate(keys, start=1):
        _refresh(key)
        progress(done, len(keys))
    return len(keys)


def unread_documents() -> QuerySet[Document]:
    """Those that were never looked through."""
    return Document.objects.filter(chunk_count__gt=0, sketch=None)


def _refresh(key: int) -> None:
    with transaction.atomic():
        document = Document.objects.select_for_update().filter(pk=key).first()
        if document is None:
            return
        remove_sketches(document)
        write_sketches([(document, list(document.chunks.all()))])
        PersonalData.objects.filter(document=document).delete()
        write_personal_data(document.extractions.all())
    note_similar_documents(document)
