"""Erasing: a document goes with everything that repeats its words, wherever that is kept.

A deletion leaves what readers were told as they were told it, and words in the vocabulary. An erasure does not.
"""

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Model, QuerySet

from ingestion.index.packing import forget_gone_chunks
from ingestion.index.vocabulary import forget_unused_names, forget_unused_words, hold_vocabulary_alone
from ingestion.models import Chunk, Document, Erasure, SyncReport
from ingestion.models.erasures import document_erased
from ingestion.models.viewers import Viewer
from ingestion.services.documents import delete_document
from knowledgetree.audit.forgetting import erase_texts_about
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record_strictly
from knowledgetree.webhooks.announcing import forget_messages_about


@transaction.atomic
def erase_document(*, document: Document, erased_by: Viewer | None = None) -> Erasure:
    """Nothing of the document is left but the record that it was erased: who, when, how much, not what.

    What listens to `document_erased` erases its own part in the same transaction. The address of a document that a
    source brought stays with the source, so that the next synchronisation does not bring it again.
    """
    hold_vocabulary_alone()
    document = Document.objects.select_for_update().get(pk=document.pk)
    number, collection_id = document.pk, document.collection_id
    counts = {"chunks": document.chunk_count, "versions": document.versions.count()}
    document_erased.send(sender=Document, document=document, counts=counts)
    earlier = list(Document.earlier_ones.filter(earlier__document=document))
    for one in earlier:
        _erase_everywhere(one, counts)
    trials = set(Document.of_all_times.filter(trial_of=document).values_list("collection", flat=True))
    _rename_in_log(document)
    _forget_in_reports(document)
    delete_document(document=document)
    within = {collection_id, *(one.collection_id for one in earlier), *trials}
    counts["names"] = sum(map(forget_unused_names, within))
    counts["words"] = forget_unused_words()
    for one_collection in sorted(within):
        forget_gone_chunks(one_collection)
    for erased in (number, *(one.pk for one in earlier)):
        erase_texts_about(erased)
    forget_messages_about(number)
    record_strictly(AuditEntry.Action.ERASE, viewer=erased_by, documents=[number], details=dict(counts))
    return Erasure.objects.create(
        document_number=number,
        collection_id=collection_id,
        erased_by_id=erased_by.pk if erased_by else None,
        counts=counts,
    )


def _erase_everywhere(earlier: Document, counts: dict[str, int]) -> None:
    """What listens erases what was made of an earlier version too."""
    of_version: dict[str, int] = {}
    document_erased.send(sender=Document, document=earlier, counts=of_version)
    for kind, count in of_version.items():
        counts[kind] = counts.get(kind, 0) + count


def _rename_in_log(document: Document) -> None:
    """The administrators' log names what was changed: the title. That something was changed, when and by whom stays."""
    chunks = [str(key) for key in document.chunks.values_list("pk", flat=True)]
    for model, keys in ((Document, [str(document.pk)]), (Chunk, chunks)):
        _log_of(model, keys).update(object_repr="", change_message="")


def _log_of(model: type[Model], keys: list[str]) -> QuerySet[LogEntry]:
    kind = ContentType.objects.get_for_model(model)
    return LogEntry.objects.filter(content_type=kind, object_id__in=keys)


def _forget_in_reports(document: Document) -> None:
    """Reports of synchronisations list addresses with titles of what went wrong."""
    if document.source_id is None:
        return
    for report in SyncReport.objects.select_for_update().filter(source=document.source_id):
        report.lists = {
            outcome: [entry for entry in entries if entry.get("document") != document.pk]
            for outcome, entries in report.lists.items()
        }
        report.save(update_fields=["lists"])
