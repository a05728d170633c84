"""Proposed validities as an editor may see them: who may read both the document and the one that says it."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import DateField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Cast, Coalesce, Substr

from ingestion.library.privacy import masked_collections
from ingestion.models import Collection, Document, Extraction, ValidityProposal
from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_documents
from ingestion.text.personal_data.masking import masked

VALID_FROM, VALID_TO = ValidityProposal.Field.VALID_FROM, ValidityProposal.Field.VALID_TO
_OPEN = ValidityProposal.Decision.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownValidity:
    """`quote` is what the text says, covered where it must be; `stated_by` the other document that says it, None where
    the document says it itself.
    """

    number: int
    field: str
    label: str
    day: date
    quote: str
    stated_by: Document | None = None


def open_proposals(viewer: Viewer) -> QuerySet[ValidityProposal]:
    """What waits for a decision, with its day (`proposed`), the words that say it (`quote`) and whether they are to be
    covered (`covers`). What is set already, and what has no day yet, is left out.
    """
    seen = visible_documents(viewer)
    rows = ValidityProposal.objects.filter(
        decision=_OPEN, document__in=seen.exclude(status=Document.Status.ARCHIVED), stated_by__in=seen
    )
    rows = rows.annotate(proposed=_day(), quote=_quote(), covers=_covers(viewer)).exclude(proposed=None)
    is_set = Q(field=VALID_FROM, document__valid_from=F("proposed")) | Q(
        field=VALID_TO, document__valid_to=F("proposed")
    )
    return rows.exclude(is_set).select_related("document", "stated_by")


def shown_proposals(viewer: Viewer, documents: list[int]) -> dict[int, list[ShownValidity]]:
    """Those of these documents, by document. One query."""
    shown: dict[int, list[ShownValidity]] = {}
    for row in open_proposals(viewer).filter(document__in=documents).order_by("field", "pk"):
        shown.setdefault(row.document_id, []).append(shown_proposal(row))
    return shown


def shown_proposal(row: ValidityProposal) -> ShownValidity:
    """A row of `open_proposals`."""
    quote = " ".join((row.quote or "").split())  # type: ignore[attr-defined]  # annotated
    return ShownValidity(
        number=row.pk,
        field=row.field,
        label=row.get_field_display(),
        day=row.proposed,  # type: ignore[attr-defined]
        quote=masked(quote) if row.covers else quote,  # type: ignore[attr-defined]
        stated_by=row.stated_by if row.stated_by_id != row.document_id else None,
    )


def _day() -> Coalesce:
    """As it was stated, or the eve of when the document that says it comes into force, as is set or proposed."""
    own = ValidityProposal.objects.filter(
        document=OuterRef("stated_by"), stated_by=OuterRef("stated_by"), field=VALID_FROM, decision=_OPEN
    )
    entry = Coalesce(F("stated_by__valid_from"), Subquery(own.values("day")[:1]))
    eve = Cast(ExpressionWrapper(entry - timedelta(days=1), output_field=DateField()), DateField())
    return Coalesce(F("day"), eve)


def _quote() -> Subquery:
    length = OuterRef("end") - OuterRef("start")
    texts = Extraction.objects.filter(document=OuterRef("stated_by")).order_by("pk")
    return Subquery(texts.values(said=Substr("text", OuterRef("start") + 1, length))[:1])


def _covers(viewer: Viewer) -> Exists:
    covered: QuerySet[Collection] = masked_collections(viewer).filter(pk=OuterRef("stated_by__collection"))
    return Exists(covered)
