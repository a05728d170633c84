"""What editors decide about validities that texts state."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ingestion.library.validity.proposals import open_proposals
from ingestion.models import Document, ValidityProposal
from ingestion.models.descriptions import DescribedFields
from ingestion.services.editing import edit_document
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record

_Decision = ValidityProposal.Decision


@transaction.atomic
def accept_proposals(*, document: Document, numbers: Iterable[int], by: User) -> int:
    """Set the validity of `document` as its open proposals of these numbers say, as an editor's word; how many there
    are. Raises InvalidValidity where the document would end before it begins; then nothing is changed.
    """
    rows = list(open_proposals(by).filter(document=document, pk__in=list(numbers)).order_by("pk"))
    days = {row.field: row.proposed for row in rows}  # type: ignore[attr-defined]  # annotated
    if days:
        edit_document(document=document, changes=DescribedFields(**days))  # type: ignore[typeddict-item]
        _decide(rows, _Decision.ACCEPTED, by)
    return len(rows)


@transaction.atomic
def reject_proposals(*, document: Document, numbers: Iterable[int], by: User) -> int:
    """Leave the validity of `document` as it is; how many open proposals these are. They stay rejected until the words
    change that say so.
    """
    rows = list(open_proposals(by).filter(document=document, pk__in=list(numbers)).order_by("pk"))
    if rows:
        _decide(rows, _Decision.REJECTED, by)
    return len(rows)


def _decide(rows: list[ValidityProposal], decision: ValidityProposal.Decision, by: User) -> None:
    chosen = ValidityProposal.objects.filter(pk__in=[row.pk for row in rows])
    chosen.update(decision=decision, decided_by=by, decided=timezone.now())
    for row in rows:
        said = {row.field: row.proposed.isoformat(), "stated_by": row.stated_by_id}  # type: ignore[attr-defined]
        outcome = f"validity_{decision.value}"
        record(AuditEntry.Action.UPDATE, outcome=outcome, documents=[row.document_id], details=said)
