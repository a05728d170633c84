"""Fitting relevance: a logistic regression over a few inputs of a passage, measured on questions it was not fitted on.

Platt, "Probabilistic outputs for support vector machines", 1999, with the targets of Lin, Lin and Weng, "A note on
Platt's probabilistic outputs", 2007, so that a set that parts perfectly does not end in certainties.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from ingestion.models import EmbeddingSpace
from rag.evaluation.calibration.reliability import Chances, Labels, Reliability, halves, measure_reliability
from rag.evaluation.datasets.questions import InvalidQuestionSet
from rag.evaluation.ranked_questions import RankedQuestion, Shown
from rag.search.relevance.calibration import Calibration, Weight, compares_meaning
from rag.search.relevance.inputs import has_absolute_scores

LEAST_QUESTIONS = 10
"""Of either kind; from fewer, three weights cannot be told."""

THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6)
_RIDGE = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusals:
    """Shares of questions of which no passage reaches `threshold`: of those the corpus answers, and of the others."""

    threshold: float
    answerable: float
    unanswerable: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationReport:
    """`after` and its refusals are those of either half of the questions under weights fitted on the other half;
    `calibration` is fitted on all. `unknown` counts answerable questions without a graded passage among the first.
    """

    calibration: Calibration
    before: Reliability
    after: Reliability
    refusals_before: tuple[Refusals, ...]
    refusals_after: tuple[Refusals, ...]
    answerable: int
    unanswerable: int
    unknown: int


def inputs_for(space: EmbeddingSpace, reranker: str) -> list[str]:
    """The words; the cosine where it speaks of meaning; the score where it can be compared between questions."""
    names = ["early", "kinship"]
    if compares_meaning(space):
        names.append("similarity")
    return [*names, "score"] if has_absolute_scores(reranker) else names


def calibrate(asked: Sequence[RankedQuestion], *, inputs: Sequence[str]) -> CalibrationReport:
    """Weights for `inputs`; of scores that are all chances the logit is taken. Raises InvalidQuestionSet."""
    known = [one for one in asked if one.example]
    examples = [one.example for one in known if one.example]
    values = [example.values for example in examples]
    labels = np.array([one.drawn.answerable for one in known], dtype=bool)
    if min(labels.sum(), (~labels).sum()) < LEAST_QUESTIONS:
        raise InvalidQuestionSet(
            _("To calibrate, at least %(least)d questions with and %(least)d without an answer must find something.")
            % {"least": LEAST_QUESTIONS}
        )
    names = _with_logit(inputs, examples)
    first = np.array([_in_first_half(one) for one in known])
    crossed = {half: _fitted_on(values, labels, first != half, names) for half in (True, False)}
    before = np.array([example.relevance for example in examples])
    after = np.array(
        [crossed[half].chance(example.values) for half, example in zip(first.tolist(), examples, strict=True)]
    )
    return CalibrationReport(
        calibration=fit_calibration(values, labels, names),
        before=measure_reliability(before, labels),
        after=measure_reliability(after, labels),
        refusals_before=_refusals(asked, lambda one, shown: shown.relevance),
        refusals_after=_refusals(asked, lambda one, shown: crossed[_in_first_half(one)].chance(shown.values)),
        answerable=sum(one.drawn.answerable for one in asked),
        unanswerable=sum(not one.drawn.answerable for one in asked),
        unknown=len(asked) - len(known),
    )


def fit_calibration(
    examples: Sequence[Mapping[str, float]],
    labels: Labels,
    inputs: Sequence[str],
    *,
    shares: Chances | None = None,
    ridge: float = _RIDGE,
) -> Calibration:
    """The weights of least mean log loss, none below zero. `shares` of the examples sum to 1; None: both outcomes count
    half. `ridge` draws the weights to zero, the more the greater.
    """
    values = np.array([[example[name] for name in inputs] for example in examples])
    means, scales = values.mean(axis=0), values.std(axis=0)
    scales[scales == 0] = 1.0
    shares = halves(labels) if shares is None else shares
    weights, bias = _least_loss((values - means) / scales, labels, shares, ridge)
    parts = zip(inputs, weights, means, scales, strict=True)
    return Calibration(
        inputs={
            name: Weight(weight=round(float(w), 4), mean=round(float(mean), 4), scale=round(float(scale), 4))
            for name, w, mean, scale in parts
        },
        bias=round(bias, 4),
        questions=len(labels),
    )


def _least_loss(values: Chances, labels: Labels, shares: Chances, least: float) -> tuple[Chances, float]:
    """Weights of shape (inputs,) and the bias."""
    from scipy.optimize import minimize  # a web process has this module, but does not fit
    from scipy.special import expit

    positives, negatives = labels.sum(), (~labels).sum()
    targets = np.where(labels, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    design = np.hstack([values, np.ones((len(values), 1))])
    ridge = np.append(np.full(values.shape[1], least), 0.0)

    def loss(weights: Chances) -> tuple[float, Chances]:
        margin = design @ weights
        value = shares @ (np.logaddexp(0, margin) - targets * margin) + ridge @ weights**2 / 2
        return float(value), design.T @ (shares * (expit(margin) - targets)) + ridge * weights

    bounds = [(0.0, None)] * values.shape[1] + [(None, None)]  # more of an input is never less relevant
    found = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x
    return found[:-1], float(found[-1])


def _with_logit(inputs: Sequence[str], examples: Sequence[Shown]) -> list[str]:
    chances = all(0 <= example.values["score"] <= 1 for example in examples)
    return ["logit" if name == "score" and chances else name for name in inputs]


def _fitted_on(
    examples: Sequence[Mapping[str, float]], labels: Labels, chosen: Labels, inputs: Sequence[str]
) -> Calibration:
    kept = [example for example, taken in zip(examples, chosen.tolist(), strict=True) if taken]
    return fit_calibration(kept, labels[chosen], inputs)


def _in_first_half(one: RankedQuestion) -> bool:
    """By the question's name, so that a question put to several corpora is always in the same half."""
    return zlib.crc32(one.drawn.key.encode()) % 2 == 0


def _refusals(
    asked: Sequence[RankedQuestion], relevance: Callable[[RankedQuestion, Shown], float]
) -> tuple[Refusals, ...]:
    best = np.array([max((relevance(one, shown) for shown in one.passages), default=0.0) for one in asked])
    can = np.array([one.drawn.answerable for one in asked], dtype=bool)
    return tuple(
        Refusals(
            threshold=threshold,
            answerable=float((best[can] < threshold).mean()),
            unanswerable=float((best[~can] < threshold).mean()),
        )
        for threshold in THRESHOLDS
    )
