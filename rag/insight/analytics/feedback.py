"""What readers thought of the answers."""

from dataclasses import dataclass

from django.db.models import Count, Q

from rag.insight.analytics.period import Period
from rag.models import Feedback


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Judgements of the answers of a period, whenever they were given; an answer may have several."""

    good: int
    bad: int
    commented: int
    reasons: tuple[tuple[str, int], ...] = ()
    """(what is wrong in words, how many said so), the commonest first."""

    @property
    def total(self) -> int:
        return self.good + self.bad

    @property
    def share(self) -> float | None:
        """The share of those who found the answer helpful, in [0, 1]; None where nobody judged."""
        return self.good / self.total if self.total else None


def judged_in(period: Period) -> Judged:
    given = Feedback.objects.filter(exchange__created__gte=period.start, exchange__created__lte=period.end)
    reasons = given.exclude(reason="").values_list("reason").annotate(n=Count("pk")).order_by("-n", "reason")
    return Judged(
        reasons=tuple((str(Feedback.Reason(reason).label), n) for reason, n in reasons),
        **given.aggregate(
            good=Count("pk", filter=Q(verdict=Feedback.Verdict.GOOD)),
            bad=Count("pk", filter=Q(verdict=Feedback.Verdict.BAD)),
            commented=Count("pk", filter=~Q(comment="")),
        ),
    )
