"""What a text says of validities becomes proposals. Nothing of it is applied here."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b

from django.db import transaction

from ingestion.models import Document, ValidityProposal
from ingestion.text.acts.validity import stated_validity
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent

VALID_FROM, VALID_TO = ValidityProposal.Field.VALID_FROM, ValidityProposal.Field.VALID_TO


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedField:
    """A validity that characters [start, end) of a text give to a `field` of the document of this number. `day` None:
    the eve of when the document comes into force whose text it is.
    """

    document: int
    field: ValidityProposal.Field
    day: date | None
    start: int
    end: int


def propose_validity(document: Document, text: str) -> None:
    """Propose what the document's own text says of it."""
    stated = stated_validity(text, title=document.title)
    own = [
        StatedField(document=document.pk, field=field, day=said.day, start=said.start, end=said.end)
        for field, said in ((VALID_FROM, stated.first), (VALID_TO, stated.last))
        if said
    ]
    known = ValidityProposal.objects.filter(document=document, stated_by=document)
    replace_proposals(known, own, stated_by=document.pk, text=text)


@transaction.atomic
def replace_proposals(
    known: Iterable[ValidityProposal], stated: Iterable[StatedField], *, stated_by: int, text: str
) -> None:
    """Put `stated`, by the `text` of document number `stated_by`, in the place of `known`. What was rejected stays so
    while its words are the same, what was accepted while its day is the same too. What waits anew is announced.
    """
    waiting = []
    before = {(row.document_id, row.field): row for row in known}
    for one in stated:
        digest = blake2b(text[one.start : one.end].encode(), digest_size=16).hexdigest()
        row = before.pop((one.document, one.field), None) or ValidityProposal(
            document_id=one.document, stated_by_id=stated_by, field=one.field, digest=digest
        )
        stays = row.digest == digest and (row.day == one.day or row.decision == ValidityProposal.Decision.REJECTED)
        if not stays:
            row.decision, row.decided_by, row.decided = ValidityProposal.Decision.OPEN, None, None
        row.day, row.start, row.end, row.digest = one.day, one.start, one.end, digest
        row.save()
        if not stays:
            waiting.append(row.pk)
    if waiting:
        announce(AnnouncedEvent.VALIDITIES_PROPOSED, about=waiting, proposed=len(waiting))
    ValidityProposal.objects.filter(pk__in=[row.pk for row in before.values()]).delete()
