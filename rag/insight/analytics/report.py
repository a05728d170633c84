"""Everything about a period, for the command and the dashboard."""

from dataclasses import dataclass

from ingestion.models.viewers import Viewer
from rag.insight.analytics.citations import Citing, citing_of
from rag.insight.analytics.costs import AssistantCost, MonthCost, costs_by_assistant, costs_by_month
from rag.insight.analytics.feedback import Judged, judged_in
from rag.insight.analytics.figures import Bucket, Figures, figures_of
from rag.insight.analytics.gaps import Gap, gaps_of
from rag.insight.analytics.period import Period
from rag.insight.analytics.questions import AskedQuestion, exchanges_of, grouped, repeated
from rag.insight.analytics.spending import ModelSpending, spending_of

SHOWN = 10
"""Questions, documents and gaps in a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Figures are those of all questions; `asked`, `citing` and `gaps` name only what the viewer may read.

    `asked`: questions asked more than once. `gap_count` is that of all gaps, of which the first ones are in `gaps`.
    `months` and `assistants` are of calendar months, whatever the period.
    """

    period: Period
    total: Figures
    buckets: tuple[Bucket, ...]
    judged: Judged
    models: tuple[ModelSpending, ...]
    months: tuple[MonthCost, ...]
    assistants: tuple[AssistantCost, ...]
    asked: tuple[AskedQuestion, ...]
    citing: Citing
    gaps: tuple[Gap, ...]
    gap_count: int


def report_of(period: Period, viewer: Viewer) -> Report:
    total, buckets = figures_of(period)
    gaps = gaps_of(period, viewer)
    return Report(
        period=period,
        total=total,
        buckets=buckets,
        judged=judged_in(period),
        models=spending_of(period),
        months=costs_by_month(),
        assistants=costs_by_assistant(viewer),
        asked=tuple(repeated(grouped(exchanges_of(period, viewer)))[:SHOWN]),
        citing=citing_of(period, viewer, limit=SHOWN),
        gaps=tuple(gaps[:SHOWN]),
        gap_count=len(gaps),
    )
