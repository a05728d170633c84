"""Counts, shares and times of the questions of a period, in all and by bucket."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from rag.insight.analytics.period import Period

# One pass over the rows of the period (index `exchange_created`) for the buckets and for the whole. A percentile of
# the whole is none of the percentiles of its parts, so it cannot be had from the buckets afterwards.
_FIGURES = """
WITH asked AS (
    SELECT
        date_trunc(%(unit)s, created, %(place)s) AS bucket, outcome, quality, metrics,
        metrics ->> 'cache' <> '' AS cached,
        outcome <> 'direct' AND coalesce(metrics ->> 'cache', '') = '' AS searched,
        (metrics ->> 'lexical_hits')::int AS lexical_hits
    FROM rag_exchange WHERE created >= %(start)s AND created <= %(end)s
)
SELECT
    bucket,
    count(*),
    count(*) FILTER (WHERE outcome = 'direct'),
    count(*) FILTER (WHERE outcome = 'not_found'),
    count(*) FILTER (WHERE outcome = 'not_certain'),
    count(*) FILTER (WHERE quality = 'HIGH'),
    count(*) FILTER (WHERE quality = 'MEDIUM'),
    count(*) FILTER (WHERE quality = 'LOW'),
    count(*) FILTER (WHERE cached),
    count(*) FILTER (WHERE searched),
    count(*) FILTER (WHERE searched AND (metrics ->> 'corrected')::boolean),
    count(*) FILTER (WHERE searched AND (metrics ->> 'web_fallback')::boolean),
    count(*) FILTER (WHERE searched AND lexical_hits IS NOT NULL),
    count(*) FILTER (WHERE searched AND lexical_hits = 0),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY (metrics -> 'latency' ->> 'total')::float),
    percentile_cont(0.95) WITHIN GROUP (ORDER BY (metrics -> 'latency' ->> 'total')::float),
    coalesce(sum((metrics ->> 'cost')::float), 0)
FROM asked GROUP BY GROUPING SETS ((bucket), ())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """`direct`: said without looking anything up. `searched`: neither that nor from a cache.

    `high`, `medium`, `low`: by the quality of the passages. `measured` are the searches that are known to have had hits
    of words or, `wordless`, none. `median` and `p95` in milliseconds, from the question to the end of its answer, those
    from a cache among them; None where there are none. `cost` in US dollars.
    """

    questions: int = 0
    direct: int = 0
    not_found: int = 0
    not_certain: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0
    cached: int = 0
    searched: int = 0
    corrected: int = 0
    web: int = 0
    measured: int = 0
    wordless: int = 0
    median: float | None = None
    p95: float | None = None
    cost: float = 0.0

    @property
    def shares(self) -> dict[str, float | None]:
        """In [0, 1], each of those it can happen to; None where there are none."""
        looked_up, graded = self.questions - self.direct, self.high + self.medium + self.low
        return {
            "not_found": _share(self.not_found, looked_up),
            "not_certain": _share(self.not_certain, looked_up),
            "cached": _share(self.cached, looked_up),
            "high": _share(self.high, graded),
            "medium": _share(self.medium, graded),
            "low": _share(self.low, graded),
            "corrected": _share(self.corrected, self.searched),
            "web": _share(self.web, self.searched),
            "wordless": _share(self.wordless, self.measured),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """An hour, a day or a week from `start`, which is in local time."""

    start: datetime
    figures: Figures


def figures_of(period: Period) -> tuple[Figures, tuple[Bucket, ...]]:
    """Figures of the whole period and of each bucket, in order; those in which nobody asked are there too."""
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES, _values(period))
        found = {row[0]: Figures(**dict(zip(_NAMES, row[1:], strict=True))) for row in cursor.fetchall()}
    buckets = tuple(
        Bucket(start=timezone.localtime(start), figures=found.get(start, Figures())) for start in period.starts
    )
    return found.get(None, Figures()), buckets


def _values(period: Period) -> dict[str, Any]:
    place = str(timezone.get_current_timezone())
    return {"unit": period.unit, "place": place, "start": period.start, "end": period.end}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


_NAMES = tuple(Figures.__dataclass_fields__)
