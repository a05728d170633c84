"""The inbox of knowledge gaps, as somebody may see it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import CharField, Count, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, NullIf

from ingestion.models.viewers import Viewer
from rag.insight.analytics.questions import AskedQuestion, grouped, understood_as
from rag.models import Exchange, GapReport, KnowledgeGap
from rag.selectors import as_told, for_everyone, readable_exchanges, visible_gaps


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxGap:
    """`name` is the question asked first; `times` how often its questions were asked, by how many `people`.

    `reports`: how often readers reported that it is missing. `task` is what editors wrote to be done.
    """

    gap: KnowledgeGap
    name: str
    task: str
    times: int
    people: int
    last: datetime
    reports: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownReport:
    """A reader's report of a gap; `comment` "" where nothing was written."""

    comment: str
    created: datetime


def gaps_for(viewer: Viewer) -> QuerySet[KnowledgeGap]:
    """Gaps with a question that `viewer` may read, the most asked first; annotated for `as_shown`.

    Questions that rest on collections closed to `viewer` are neither named nor counted.
    """
    first = (
        readable_exchanges(viewer)
        .filter(gaps=OuterRef("pk"))
        .order_by("created", "pk")
        .annotate(text=understood_as())
        .values("text")
    )
    person = Coalesce(
        Cast("exchanges__conversation__owner", CharField()),
        NullIf(F("exchanges__conversation__session_key"), Value("")),
        Cast("exchanges__conversation", CharField()),
    )
    return (
        visible_gaps(viewer)
        .select_related("assignee")
        .annotate(
            name=Subquery(first[:1]),
            times=Count("exchanges", distinct=True),
            people=Count(person, distinct=True),
            last=Max("exchanges__created"),
            reports=Count("exchanges__reports", distinct=True),
        )
        .order_by("-times", "-last", "-pk")
    )


def as_shown(gaps: Iterable[KnowledgeGap], viewer: Viewer) -> list[InboxGap]:
    """Shows a gap of `gaps_for` the same viewer."""
    return [
        InboxGap(
            gap=gap,
            task=gap.task,
            name=as_told(" ".join(gap.name.split()), viewer),  # type: ignore[attr-defined]
            times=gap.times,  # type: ignore[attr-defined]
            people=gap.people,  # type: ignore[attr-defined]
            last=gap.last,  # type: ignore[attr-defined]
            reports=gap.reports,  # type: ignore[attr-defined]
        )
        for gap in gaps
    ]


def counts_by_status(viewer: Viewer) -> dict[str, int]:
    """The number of gaps by status, with 0 where there are none."""
    rows = visible_gaps(viewer).order_by().values("status").annotate(number=Count("pk", distinct=True))
    return dict.fromkeys(KnowledgeGap.Status.values, 0) | {row["status"]: row["number"] for row in rows}


def questions_of(gap: KnowledgeGap, viewer: Viewer) -> list[AskedQuestion]:
    """Each wording that `viewer` may read once, the most asked first."""
    questions = grouped(readable_exchanges(viewer).filter(gaps=gap))
    return [replace(one, text=as_told(one.text, viewer)) for one in questions]


def reports_of(gap: KnowledgeGap, viewer: Viewer) -> list[ShownReport]:
    """What readers wrote when they reported it, the last first, of questions that `viewer` may read."""
    found = GapReport.objects.filter(exchange__in=readable_exchanges(viewer).filter(gaps=gap)).exclude(comment="")
    return [ShownReport(comment=as_told(one.comment, viewer), created=one.created) for one in found]


def open_gaps(viewer: Viewer) -> list[InboxGap]:
    return as_shown(gaps_for(viewer).filter(status__in=KnowledgeGap.OPEN), viewer)


def covered(shown: InboxGap) -> InboxGap:
    """The gap with its personal data covered whoever looks: for files that travel and sets that others read."""
    return replace(shown, name=for_everyone(shown.name), task=for_everyone(shown.task))


def gap_of_questions(exchanges: Iterable[object]) -> int | None:
    """The number of the gap that these questions belong to: that of the first which is in one."""
    found = Exchange.objects.filter(Q(pk__in=list(exchanges)), gaps__isnull=False).values_list("gaps", flat=True)
    return found.order_by("-created").first()
