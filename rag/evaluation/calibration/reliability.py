"""How far predicted chances can be believed: calibration error, Brier score, ROC AUC, bins of a reliability diagram.

Both outcomes count half, however many there are of each: the share of unanswerable questions in a set is its maker's
choice, so a chance of 0.5 says that the passage looks as much like those that help as like those that do not.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 10
_Z = 1.96  # of a 95 % interval

Chances = NDArray[np.float64]
Labels = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """`chance`: the mean predicted, `share`: how often it came true, between `low` and `high` with 95 % (Wilson 1927).

    `mass` is the bin's part of the whole, in [0, 1].
    """

    chance: float
    share: float
    mass: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """All in [0, 1]. `ece` over bins of equal mass, `ece_width` over bins of equal width; less is better, but `auc`."""

    ece: float
    ece_width: float
    brier: float
    auc: float
    bins: tuple[Bin, ...]


def measure_reliability(chances: Chances, labels: Labels) -> Reliability:
    """`chances` in [0, 1] and `labels`, shape (n,) each; both outcomes must occur."""
    shares = halves(labels)
    bins = reliability_bins(chances, labels, equal_mass=True)
    return Reliability(
        ece=calibration_error(bins),
        ece_width=calibration_error(reliability_bins(chances, labels, equal_mass=False)),
        brier=float(shares @ (chances - labels) ** 2),
        auc=roc_auc(chances, labels),
        bins=bins,
    )


def halves(labels: Labels) -> Chances:
    """A share for each, shape (n,), that sums to 0.5 over either outcome."""
    shares: Chances = np.where(labels, 0.5 / max(1, labels.sum()), 0.5 / max(1, (~labels).sum()))
    return shares


def reliability_bins(
    chances: Chances, labels: Labels, *, equal_mass: bool, shares: Chances | None = None
) -> tuple[Bin, ...]:
    """At most 10, the least chance first; equal chances may part in bins of equal mass, empty bins are left out.

    `shares`, shape (n,), is what each counts; without it both outcomes count half.
    """
    shares = halves(labels) if shares is None else shares
    shares = shares / shares.sum()
    places = np.clip(chances * BINS, 0, BINS - 1).astype(int)
    if equal_mass:
        order = np.argsort(chances, kind="stable")
        middles = np.cumsum(shares[order]) - shares[order] / 2
        places[order] = np.clip(middles * BINS, 0, BINS - 1).astype(int)
    return tuple(_bin(chances[at], labels[at], shares[at]) for at in (places == n for n in range(BINS)) if at.any())


def calibration_error(bins: tuple[Bin, ...]) -> float:
    """Expected calibration error: the mean distance between predicted and come true (Naeini et al. 2015)."""
    return sum(part.mass * abs(part.chance - part.share) for part in bins)


def roc_auc(chances: Chances, labels: Labels) -> float:
    """The chance that a positive stands above a negative, ties counting half (Mann and Whitney 1947)."""
    positives, negatives = chances[labels], np.sort(chances[~labels])
    below, not_above = (np.searchsorted(negatives, positives, side=side) for side in ("left", "right"))
    return float((below + not_above).mean() / (2 * len(negatives)))


def _bin(chances: Chances, labels: Labels, shares: Chances) -> Bin:
    mass = shares.sum()
    share = float(shares @ labels / mass)
    seen = mass**2 / (shares @ shares)  # as many equal ones would be as uncertain
    spread = 1 + _Z**2 / seen
    middle = (share + _Z**2 / (2 * seen)) / spread
    margin = _Z * float(np.sqrt(share * (1 - share) / seen + (_Z / (2 * seen)) ** 2)) / spread
    return Bin(
        chance=float(shares @ chances / mass),
        share=share,
        mass=float(mass),
        low=max(0.0, middle - margin),
        high=min(1.0, middle + margin),
    )
