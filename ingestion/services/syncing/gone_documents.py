"""What becomes of documents that their source does not have any more."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from ingestion.models import Document, Source, SourceAddress, SyncReport
from ingestion.services.documents import archive_document
from ingestion.services.syncing.tally import Tally

_State = SourceAddress.State
_SUSPICIOUS = 10  # documents gone at once, if they are more than half of all: rather a disk that is not mounted


def settle_gone(
    gone: Sequence[SourceAddress], *, rows: Mapping[str, SourceAddress], report: SyncReport, tally: Tally
) -> None:
    """At the end of a synchronisation: only the whole, `rows`, tells whether pages are gone or a disk is."""
    policy, current = report.source.gone_policy, sum(row.state == _State.CURRENT for row in rows.values())
    fresh = sum(row.state == _State.CURRENT for row in gone)
    if policy == Source.Gone.ARCHIVE and fresh > _SUSPICIOUS and fresh * 2 > current:
        policy = Source.Gone.CONFIRM
    for row in gone:
        _settle(row, policy, report)
        if row.report_id == report.pk and row.outcome == "gone":
            tally.count("gone", row.uri, detail=row.state, document=row.document_id)


def is_archived(row: SourceAddress) -> bool:
    """Whether the document of the address stands in the archive."""
    return Document.objects.filter(pk=row.document_id or 0, status=Document.Status.ARCHIVED).exists()


@transaction.atomic
def _settle(row: SourceAddress, policy: str, report: SyncReport) -> None:
    state = row.state
    if state == _State.ARCHIVED and not is_archived(row):
        row.state = _State.RETAINED  # an editor brought it back
    elif state == _State.CURRENT or (state == _State.WAITING and policy == Source.Gone.ARCHIVE):
        row.state = {
            Source.Gone.ARCHIVE.value: _State.ARCHIVED,
            Source.Gone.CONFIRM.value: _State.WAITING,
        }.get(policy, _State.RETAINED)
    if row.state != state:
        if row.state == _State.ARCHIVED and not is_archived(row):
            archive_document(document=Document.objects.get(pk=row.document_id or 0))
        row.report, row.outcome = report, "gone"
        row.save(update_fields=["state", "report", "outcome"])
