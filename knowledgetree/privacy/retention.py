"""Terms of documents: what is over is archived or erased at night, each recorded."""

import logging
from collections.abc import Iterator
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from ingestion.models import Document
from ingestion.services.documents import archive_document
from ingestion.services.erasure import erase_document
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record_strictly
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.privacy.models import ProcessingRecord

log = logging.getLogger("knowledgetree.privacy")

_AT_ONCE = 500  # keys held in memory; each document ends in a transaction of its own


def overdue_documents(record: ProcessingRecord) -> QuerySet[Document]:
    """Documents of the record's collection whose term is over and that have not ended as it says."""
    documents = Document.objects.filter(collection=record.collection_id)
    if not record.term_days:
        return documents.none()
    if record.ending == ProcessingRecord.Ending.ARCHIVE:
        documents = documents.exclude(status=Document.Status.ARCHIVED)
    last = timezone.localdate() - timedelta(days=record.term_days)
    field = record.counted_from
    by_day = field == ProcessingRecord.CountedFrom.EXPIRED
    return documents.filter(**{f"{field}__lt" if by_day else f"{field}__date__lt": last})


def keep_terms() -> int:
    """End every document whose term is over; how many. One that cannot be ended is logged and tried the next night."""
    ended = 0
    for record in ProcessingRecord.objects.exclude(term_days=None):
        for document in _each(overdue_documents(record)):
            try:
                _end(document, record)
                ended += 1
            except KnowledgeTreeError:
                log.exception("document %s: its term is over and it could not be ended", document.pk)
    return ended


def _end(document: Document, record: ProcessingRecord) -> None:
    details = {"term_days": record.term_days, "counted_from": record.counted_from, "ending": record.ending}
    record_strictly(
        AuditEntry.Action.FORGET, documents=[document.pk], collections=[record.collection_id], details=details
    )
    if record.ending == ProcessingRecord.Ending.ERASE:
        erase_document(document=document)
    else:
        archive_document(document=document)


def _each(documents: QuerySet[Document]) -> Iterator[Document]:
    """Each document once, however long the ending of the others takes."""
    keys = list(documents.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), _AT_ONCE):
        yield from Document.objects.filter(pk__in=keys[start : start + _AT_ONCE])
