"""An optimisation as one HTML page that needs nothing else and prints well."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from knowledgetree.console import number
from rag.evaluation.labels import label
from rag.evaluation.optimization.copies import chunking_trials, chunking_with
from rag.evaluation.optimization.labels import MEASURES, shown_changes
from rag.evaluation.optimization.result import Optimum, read_optimum
from rag.models import EvaluationQuestion, Optimization

WIDTH, HEIGHT = 560, 220
"""Pixels of the chart; the template's frame leaves room for its labels."""

_MOST_QUESTIONS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialDot:
    """A trial in whole pixels from the upper left corner."""

    x: int
    y: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedWay:
    """A way to split in words, its mean, and the seconds that splitting, embedding and asking took."""

    words: str
    score: float
    seconds: float
    in_force: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialChart:
    """`best`: the highest mean so far, as the points of a line; `ticks`: (pixels from above, mean)."""

    dots: tuple[TrialDot, ...]
    best: str
    ticks: tuple[tuple[int, str], ...]


def optimization_page(optimization: Optimization) -> str:
    """The page in the reader's language."""
    values = {**report_values(optimization), "made": timezone.localtime()}
    return render_to_string("evaluation/optimization.html", values)


def report_values(optimization: Optimization) -> dict[str, object]:
    """What the page and the admin's page of an optimisation show."""
    optimum = read_optimum(optimization.result)
    return {
        "optimization": optimization,
        "measure": label(MEASURES, optimization.measure),
        "optimum": optimum,
        "chart": _chart([trial.score for trial in optimization.trials.all()]),
        "chunkings": _chunkings(optimization),
        "width": WIDTH,
        "height": HEIGHT,
        "changes": shown_changes(optimum.changes) if optimum else [],
        "settings_line": settings_line(optimization, optimum) if optimum else "",
        "moved": _moved(optimization, optimum) if optimum else [],
    }


def settings_line(optimization: Optimization, optimum: Optimum) -> str:
    """The parts as they are put into the settings; "" of a chunking, which no setting puts in force."""
    if optimization.tries == Optimization.Tries.CHUNKING:
        return ""
    name = optimization.preset or "offline"
    return json.dumps({"presets": {name: dict(optimum.parts)}}, ensure_ascii=False)


def _chart(scores: Sequence[float]) -> TrialChart | None:
    if len(scores) < 2:
        return None
    low, high = min(scores), max(scores)
    span = (high - low) or 1.0

    def down(score: float) -> int:
        return round(HEIGHT * (high - score) / span)

    across = [round(WIDTH * place / (len(scores) - 1)) for place in range(len(scores))]
    dots = tuple(
        TrialDot(x=x, y=down(score), words=_("trial %(n)d: %(score)s") % {"n": place, "score": number(score)})
        for place, (x, score) in enumerate(zip(across, scores, strict=True))
    )
    best = " ".join(f"{x},{down(score)}" for x, score in zip(across, accumulate(scores, max), strict=True))
    ticks = tuple((down(score), number_format(score, 3)) for score in (low, (low + high) / 2, high))
    return TrialChart(dots=dots, best=best, ticks=ticks)


def _chunkings(optimization: Optimization) -> list[TriedWay]:
    """Best first; none where parts of a preset were tried."""
    if optimization.tries != Optimization.Tries.CHUNKING or not optimization.chunking:
        return []
    trials = chunking_trials()
    ways = [
        TriedWay(
            words=trials.in_words(chunking_with(optimization.chunking, trial.values)),
            score=trial.score,
            seconds=trial.seconds,
            in_force=not trial.values,
        )
        for trial in optimization.trials.all()
    ]
    return sorted(ways, key=lambda way: -way.score)


def _moved(optimization: Optimization, optimum: Optimum) -> list[tuple[str, float, float]]:
    """(question, before, after) of held-out questions that changed; those gone from the set by their identifier."""
    texts = dict(EvaluationQuestion.objects.filter(dataset=optimization.dataset_id).values_list("external_id", "text"))
    return [(texts.get(key, key), before, after) for key, before, after in optimum.moved[:_MOST_QUESTIONS]]
