"""What everyday questions came to, for pages of a run."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag.evaluation.calibration.reliability import Bin
from rag.evaluation.everyday.changes import OutcomeChange, compare_outcomes
from rag.evaluation.everyday.outcomes import EverydayOutcome, read_outcomes
from rag.evaluation.everyday.report import EverydayReport
from rag.evaluation.everyday.wording import (
    OUTCOMES,
    EverydayFigure,
    answers_in,
    bin_headings,
    bin_word,
    everyday_figures,
    kind_counts,
    kind_headings,
    kind_word,
)
from rag.evaluation.run_results import linked
from rag.models import EvaluationQuestion, EvaluationRun


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityRow:
    """A line of a table: `counts`, then the mean confidence of its answers and the share that is right, in percent;
    None where nothing was answered.
    """

    name: str
    counts: tuple[int | str, ...]
    confidence: float | None
    right: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedChange:
    """A question that changed, in words; `question` None: it is in the set no more."""

    key: str
    question: EvaluationQuestion | None
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EverydayPage:
    """`earlier` None: nothing was measured before that could be compared."""

    figures: list[EverydayFigure]
    kind_headings: tuple[str, ...]
    kinds: list[ReliabilityRow]
    bin_headings: tuple[str, ...]
    bins: list[ReliabilityRow]
    earlier: EvaluationRun | None
    common: int
    worse: list[NamedChange]
    better: list[NamedChange]


def everyday_page(run: EvaluationRun, earlier: EvaluationRun | None) -> EverydayPage | None:
    """None for a run that has no outcomes, as one of retrieval."""
    if not run.outcomes:
        return None
    outcomes = read_outcomes(run.outcomes)
    report = EverydayReport(asked=tuple(outcomes.values()))
    earlier = earlier if earlier and earlier.outcomes else None
    changes = compare_outcomes(read_outcomes(earlier.outcomes) if earlier else {}, outcomes)
    return EverydayPage(
        figures=everyday_figures(report),
        kind_headings=kind_headings(),
        kinds=[_kind_row(kind, part) for kind, part in report.kinds.items()],
        bin_headings=bin_headings(),
        bins=[_bin_row(part, report) for part in report.bins] if report.answered else [],
        earlier=earlier,
        common=changes.common,
        worse=_named(run, changes.worse),
        better=_named(run, changes.better),
    )


def _kind_row(kind: str, part: EverydayReport) -> ReliabilityRow:
    return ReliabilityRow(
        name=kind_word(kind),
        counts=kind_counts(part),
        confidence=_percent(part.mean_confidence),
        right=_percent(part.share_right),
    )


def _bin_row(part: Bin, report: EverydayReport) -> ReliabilityRow:
    return ReliabilityRow(
        name=bin_word(part),
        counts=(answers_in(part.mass, report),),
        confidence=_percent(part.chance),
        right=_percent(part.share),
    )


def _named(run: EvaluationRun, changed: Sequence[OutcomeChange]) -> list[NamedChange]:
    found = {one.key: one.question for one in linked(run, [(one.key, 0.0) for one in changed])}
    return [
        NamedChange(key=one.key, question=found[one.key], before=_word(one.before), after=_word(one.after))
        for one in changed
    ]


def _word(outcome: EverydayOutcome) -> str:
    return str(OUTCOMES[outcome])


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
