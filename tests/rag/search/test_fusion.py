import pytest

from rag.search.retrieval.fusion import fuse
from rag.search.retrieval.ranking import Hit

LEFT = [Hit(1, 9.0), Hit(2, 3.0)]
RIGHT = [Hit(2, 0.8), Hit(3, 0.4)]


def test_rrf_adds_reciprocal_ranks() -> None:
    fused = dict(fuse([(LEFT, 0.6), (RIGHT, 0.4)], method="rrf"))
    assert fused[2] == pytest.approx(0.6 / 62 + 0.4 / 61)
    assert fused[1] == pytest.approx(0.6 / 61)


def test_weighted_adds_shares_of_the_best_score() -> None:
    fused = dict(fuse([(LEFT, 0.6), (RIGHT, 0.4)], method="weighted"))
    assert fused == pytest.approx({1: 0.6, 2: 0.2 + 0.4, 3: 0.2})


def test_max_takes_the_better_leg() -> None:
    assert dict(fuse([(LEFT, 0.6), (RIGHT, 0.4)], method="max"))[2] == pytest.approx(0.4)


def test_the_best_comes_first_and_ties_are_stable() -> None:
    assert [key for key, _ in fuse([([Hit(5, 1.0), Hit(4, 1.0)], 1.0)], method="weighted")] == [4, 5]


def test_a_leg_without_results_changes_nothing() -> None:
    assert fuse([(LEFT, 1.0), ([], 1.0)], method="weighted") == fuse([(LEFT, 1.0)], method="weighted")
