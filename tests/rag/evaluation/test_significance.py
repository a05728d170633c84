"""Comparison of two made-up runs."""

import numpy as np
import pytest

from rag.evaluation.measures.significance import compare_scores, permutation_p


def run(values: list[float]) -> dict[str, dict[str, float]]:
    return {f"q{n}": {"nDCG@10": value} for n, value in enumerate(values)}


def test_a_constant_gain_on_many_questions_is_significant() -> None:
    (difference,) = compare_scores(run([0.5] * 60), run([0.6] * 60))
    assert difference.change == pytest.approx(0.1)
    assert difference.significant
    assert (difference.better, difference.worse, difference.questions) == (60, 0, 60)


def test_gains_that_losses_outweigh_are_chance() -> None:
    rng = np.random.default_rng(7)
    before = rng.random(200)
    (difference,) = compare_scores(run(list(before)), run(list(before + rng.normal(0, 0.2, 200))))
    assert not difference.significant


def test_the_same_run_does_not_differ() -> None:
    (difference,) = compare_scores(run([0.1, 0.9, 0.4]), run([0.1, 0.9, 0.4]))
    assert (difference.change, difference.p) == (0, 1)


def test_p_is_exact_for_few_questions() -> None:
    """Five gains alike: of the 32 ways to toss five coins two are as extreme."""
    assert permutation_p(np.array([0.2, 0.2, 0.2, 0.2, 0.2, 0.0, 0.0])) == pytest.approx(2 / 32)


def test_p_is_the_same_every_time() -> None:
    change = np.random.default_rng(1).normal(0.02, 0.2, 300)
    assert permutation_p(change) == permutation_p(change)


def test_only_common_questions_and_measures_are_compared() -> None:
    before = {"q1": {"a": 1.0, "old": 1.0}, "q2": {"a": 0.0}}
    after = {"q2": {"a": 1.0, "new": 1.0}, "q3": {"a": 0.0}}
    (difference,) = compare_scores(before, after)
    assert (difference.measure, difference.questions, difference.before, difference.after) == ("a", 1, 0.0, 1.0)


def test_runs_without_a_common_question_have_nothing_to_compare() -> None:
    assert compare_scores({"q1": {"a": 1.0}}, {"q2": {"a": 1.0}}) == ()
