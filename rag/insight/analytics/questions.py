"""The questions themselves, those worded alike as one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, F, Max, Q, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, NullIf

from ingestion.models.viewers import Viewer
from rag.answering.cache.wording import wording
from rag.insight.analytics.period import Period
from rag.models import Exchange
from rag.selectors import readable_exchanges


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """`text` as it was last asked, a follow-up as it was understood; `exchanges` with the last one first."""

    text: str
    exchanges: tuple[UUID, ...]
    not_found: int
    last: datetime

    @property
    def times(self) -> int:
        return len(self.exchanges)


def exchanges_of(period: Period, viewer: Viewer) -> QuerySet[Exchange]:
    """Those that were looked up, without what rests on collections that `viewer` may not read."""
    asked = readable_exchanges(viewer).filter(created__gte=period.start, created__lte=period.end)
    return asked.exclude(outcome="direct")


def understood_as() -> Coalesce:
    """The text of an exchange's question, a follow-up as it was understood."""
    return Coalesce(NullIf(F("searched"), Value("", output_field=TextField())), F("question"))


def grouped(exchanges: QuerySet[Exchange]) -> list[AskedQuestion]:
    """By wording, as the cache of answers compares it; the most asked first, then the last asked."""
    # What is typed the same is counted by the database: a busy month has some ten times as many rows as texts.
    typed = exchanges.order_by().values("question", "searched", "language")
    rows = typed.annotate(
        exchanges=ArrayAgg("pk", order_by="-created"),
        not_found=Count("pk", filter=Q(outcome="not_found")),
        last=Max("created"),
    ).order_by("-last")
    alike: dict[str, list[AskedQuestion]] = {}
    for row in rows:
        text = " ".join((row["searched"] or row["question"]).split())
        same = wording(text, row["language"])
        alike.setdefault(same, []).append(
            AskedQuestion(text=text, exchanges=tuple(row["exchanges"]), not_found=row["not_found"], last=row["last"])
        )
    return sorted(map(_one, alike.values()), key=lambda one: (-one.times, -one.last.timestamp()))


def repeated(questions: Iterable[AskedQuestion]) -> list[AskedQuestion]:
    return [question for question in questions if question.times > 1]


def _one(alike: Sequence[AskedQuestion]) -> AskedQuestion:
    """Of the same wording, the last asked first."""
    return replace(
        alike[0],
        exchanges=tuple(chain.from_iterable(question.exchanges for question in alike)),
        not_found=sum(question.not_found for question in alike),
    )
