"""What becomes of documents that their source does not have any more."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from ingestion.models import Document, Source, SourceAddress, SyncReport
from ingestion.services.documents import archive_document
from ingestion.services.erasure import erase_document
from ingestion.services.syncing.tally import Tally

_State = SourceAddress.State
_HANDFUL = 5
_SHARE = 10  # gone at once, a tenth of all and more than a handful is asked about: rather a disk that is not mounted


def settle_gone(
    gone: Sequence[SourceAddress], *, rows: Mapping[str, SourceAddress], report: SyncReport, tally: Tally
) -> None:
    """At the end of a synchronisation: only the whole, `rows`, tells whether pages are gone or a disk is. What waits
    for a decision counts as going too, so that waiting is no agreement.
    """
    policy = report.source.gone_policy
    if policy in Source.REMOVING and _are_many(gone, rows):
        policy = Source.Gone.CONFIRM
    for row in gone:
        uri, document = row.uri, row.document_id
        if _settle(row, policy, report) == Source.Gone.ERASE:
            tally.count("gone", uri, document=document, named=False)
        elif row.report_id == report.pk and row.outcome == "gone":
            tally.count("gone", uri, detail=row.state, document=document)


def remove_gone(row: SourceAddress, policy: str) -> None:
    """Archive the document of a row that is gone, or erase it with the row, so that nothing of it is left."""
    document = Document.objects.filter(pk=row.document_id or 0).first()
    if policy == Source.Gone.ERASE:
        if document:
            erase_document(document=document)
        row.delete()
    elif document and document.status != Document.Status.ARCHIVED:
        archive_document(document=document)


def is_archived(row: SourceAddress) -> bool:
    """Whether the document of the address stands in the archive."""
    return Document.objects.filter(pk=row.document_id or 0, status=Document.Status.ARCHIVED).exists()


def _are_many(gone: Sequence[SourceAddress], rows: Mapping[str, SourceAddress]) -> bool:
    waiting = sum(row.state == _State.WAITING for row in rows.values())
    going = waiting + sum(row.state == _State.CURRENT for row in gone)
    there = waiting + sum(row.state == _State.CURRENT for row in rows.values())
    return going > _HANDFUL and going * _SHARE > there


@transaction.atomic
def _settle(row: SourceAddress, policy: str, report: SyncReport) -> str:
    """What was done: ERASE, ARCHIVE, or "" for nothing to the document."""
    state = row.state
    removes = policy in Source.REMOVING and state in {_State.CURRENT, _State.WAITING}
    if removes:
        remove_gone(row, policy)
        if policy == Source.Gone.ERASE:
            return policy
        row.state = _State.ARCHIVED
    elif state == _State.ARCHIVED and not is_archived(row):
        row.state = _State.RETAINED  # an editor brought it back
    elif state == _State.CURRENT:
        row.state = _State.WAITING if policy == Source.Gone.CONFIRM else _State.RETAINED
    if row.state != state:
        row.report, row.outcome = report, "gone"
        row.save(update_fields=["state", "report", "outcome"])
    return policy if removes else ""
