"""Which documents answers rest on, and which none does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from ingestion.models import Document
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents
from rag.insight.analytics.period import Period
from rag.models import ExchangeCitation
from rag.selectors.documents import shown_documents


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedDocument:
    """`answers` that cite it, each counted once however often."""

    document: int
    title: str
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Citing:
    """Counts documents ready now: the `most` cited, how many are `cited` at all and `never`; the oldest of those."""

    most: tuple[CitedDocument, ...]
    cited: int
    never: int
    never_oldest: tuple[CitedDocument, ...]


def citing_of(period: Period, viewer: Viewer, *, limit: int) -> Citing:
    """Figures of the documents that `viewer` may read, at most `limit` of each kind."""
    ready = readable_documents(viewer)
    cited = (
        ExchangeCitation.objects.filter(
            exchange__created__gte=period.start, exchange__created__lte=period.end, document__in=ready
        )
        .order_by()
        .values("document_id", "document__title")
        .annotate(answers=Count("exchange_id", distinct=True))
        .order_by("-answers", "document__title", "document_id")
    )
    never = ready.exclude(pk__in=cited.order_by().values("document_id")).order_by("created", "pk")
    answers = {row["document_id"]: row["answers"] for row in cited[:limit]}
    most = ready.in_bulk(list(answers))
    return Citing(
        most=_cited(viewer, [most[pk] for pk in answers if pk in most], answers),
        cited=cited.count(),
        never=never.count(),
        never_oldest=_cited(viewer, never[:limit], {}),
    )


def _cited(viewer: Viewer, documents: Iterable[Document], answers: Mapping[int, int]) -> tuple[CitedDocument, ...]:
    return tuple(
        CitedDocument(document=one.pk, title=one.title, answers=answers.get(one.pk, 0))
        for one in shown_documents(viewer, documents)
    )
