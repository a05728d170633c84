"""Measures against values worked out by hand."""

from math import log2

import pytest

from rag.evaluation.measures.ranking import MEASURES, means, score_rankings


def test_measures_are_those_of_the_literature() -> None:
    qrels = {"q": {"a": 2, "b": 1, "c": 1}}
    scores = score_rankings(qrels, {"q": ["x", "a", "y", "b", "z", "v", "w", "c"]})["q"]
    gain = 2 / log2(3) + 1 / log2(5) + 1 / log2(9)
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert scores["nDCG@10"] == pytest.approx(gain / ideal, abs=1e-6)
    assert scores["MRR@10"] == pytest.approx(1 / 2)
    assert scores["Recall@5"] == pytest.approx(2 / 3)
    assert scores["Recall@20"] == pytest.approx(1)
    assert scores["Precision@5"] == pytest.approx(2 / 5)


def test_the_first_rank_that_counts_is_the_tenth() -> None:
    ranking = [f"x{n}" for n in range(10)] + ["a"]
    scores = score_rankings({"q": {"a": 1}}, {"q": ranking})["q"]
    assert scores["nDCG@10"] == scores["MRR@10"] == 0
    assert scores["Recall@20"] == 1


def test_order_among_many_documents_is_the_given_one_not_the_names() -> None:
    ranking = [f"d{n:02}" for n in range(20)]
    for rank, document in enumerate(ranking[:10], start=1):
        assert score_rankings({"q": {document: 1}}, {"q": ranking})["q"]["MRR@10"] == pytest.approx(1 / rank)


@pytest.mark.parametrize("rankings", [{}, {"q": []}])
def test_a_question_that_found_nothing_counts_as_zero(rankings: dict[str, list[str]]) -> None:
    assert score_rankings({"q": {"a": 1}}, rankings) == {"q": dict.fromkeys(MEASURES, 0.0)}


def test_questions_without_a_right_document_are_left_out() -> None:
    assert set(score_rankings({"q": {"a": 1}, "none": {"a": 0}}, {"q": ["a"], "none": ["a"]})) == {"q"}


def test_means_are_over_the_questions_that_have_the_measure() -> None:
    assert means({"a": {"x": 1.0, "y": 0.5}, "b": {"x": 0.0}}) == {"x": 0.5, "y": 0.5}
