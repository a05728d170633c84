"""Fitting the weights of the features reranker: a pairwise logistic regression (Joachims 2002) without bias.

For every question the passages of relevant documents should score above the others that retrieval found. Each question
set counts the same, whatever its size.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_POSITIVES, _NEGATIVES = 3, 12  # passages taken from the top of a question's list
_DEPTH = 10
_RIDGE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedList:
    """One question: `signals` of shape (passages, signals), in retrieval order, and the `grade` of each passage.

    `ideal` are the grades of all relevant documents, found or not.
    """

    signals: NDArray[np.float64]
    grades: NDArray[np.float64]
    ideal: tuple[int, ...]


def fit_weights(sets: Sequence[Sequence[JudgedList]]) -> NDArray[np.float64]:
    """Weights of shape (signals,) that minimise the mean logistic loss over pairs plus a ridge."""
    from scipy.optimize import minimize

    differences, shares = [], []
    for lists in sets:
        pairs = [_pairs(judged) for judged in lists]
        stacked = np.vstack([pair for pair in pairs if len(pair)])
        differences.append(stacked)
        shares.append(np.concatenate([np.full(len(pair), 1 / len(pair)) for pair in pairs if len(pair)]))
        shares[-1] /= shares[-1].sum()
    x, share = np.vstack(differences), np.concatenate(shares) / len(sets)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = x @ weights
        penalty = _RIDGE / len(x)
        value = float(share @ np.logaddexp(0, -margin) + penalty * weights @ weights / 2)
        gradient = -(x.T @ (share / (1 + np.exp(margin)))) + penalty * weights
        return value, gradient

    weights: NDArray[np.float64] = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x
    return weights


def mean_ndcg(lists: Sequence[JudgedList], weights: NDArray[np.float64]) -> float:
    """nDCG@10 of the lists in the order of their weighted signals."""
    return float(np.mean([_ndcg(judged, judged.signals @ weights) for judged in lists])) if lists else 0.0


def mean_ndcg_in_order(lists: Sequence[JudgedList]) -> float:
    """nDCG@10 of the lists as retrieval ordered them."""
    return (
        float(np.mean([_ndcg(judged, -np.arange(len(judged.grades), dtype=np.float64)) for judged in lists]))
        if lists
        else 0.0
    )


def split(lists: Mapping[str, JudgedList]) -> tuple[list[JudgedList], list[JudgedList]]:
    """Two halves by the position of the question's id in order, so that the split is the same everywhere."""
    ordered = [lists[key] for key in sorted(lists)]
    return ordered[::2], ordered[1::2]


def _pairs(judged: JudgedList) -> NDArray[np.float64]:
    """Differences (relevant minus other), at most _POSITIVES x _NEGATIVES of them."""
    relevant = judged.signals[judged.grades > 0][:_POSITIVES]
    others = judged.signals[judged.grades == 0][:_NEGATIVES]
    differences: NDArray[np.float64] = relevant[:, None, :] - others[None, :, :]
    return differences.reshape(-1, judged.signals.shape[1])


def _ndcg(judged: JudgedList, scores: NDArray[np.float64]) -> float:
    order = np.argsort(-scores, kind="stable")
    discounts = 1 / np.log2(np.arange(2, _DEPTH + 2))
    gained = judged.grades[order][:_DEPTH]
    ideal = np.array(sorted(judged.ideal, reverse=True)[:_DEPTH], dtype=float)
    best = float(ideal @ discounts[: len(ideal)])
    return float(gained @ discounts[: len(gained)]) / best if best else 0.0
