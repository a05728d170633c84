"""Refusals and what confidence knows of them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from rag.evaluation.answers import AnswerReport, JudgedAnswer, judge_answers
from rag.evaluation.calibration.reliability import roc_auc
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.events import Completed
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.types import Answer
from tests.conftest import AddDocument
from tests.rag.evaluation.answers import an_answer


def judged(key: str, *, answerable: bool, confidence: float, refused: bool = False) -> JudgedAnswer:
    return JudgedAnswer(
        question=LabelledQuestion(id=key, question="Ile?", answerable=answerable),
        answer=an_answer("26 dni", confidence=confidence, outcome="not_found" if refused else "answered"),
        document_rank=None,
        contains_expected=None,
    )


def test_confidence_that_parts_the_questions_has_an_area_of_one_and_ties_count_half() -> None:
    sure, unsure = judged("a", answerable=True, confidence=0.9), judged("b", answerable=False, confidence=0.2)
    assert AnswerReport(judged=(sure, unsure)).confidence_auc == 1
    assert AnswerReport(judged=(sure, replace(unsure, answer=sure.answer))).confidence_auc == 0.5
    assert AnswerReport(judged=(sure,)).confidence_auc is None


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=60))
def test_the_area_under_the_curve_is_that_of_scikit_learn(rows: list[tuple[int, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    chances = np.array([chance / 5 for chance, _ in rows])
    labels = np.array([label for _, label in rows])
    if labels.all() or not labels.any():
        return
    assert roc_auc(chances, labels) == pytest.approx(metrics.roc_auc_score(labels, chances))


def test_refusals_are_right_or_wrong_by_whether_there_is_an_answer() -> None:
    report = AnswerReport(
        judged=(
            judged("a", answerable=True, confidence=0.9),
            judged("b", answerable=True, confidence=0.0, refused=True),
            judged("c", answerable=False, confidence=0.0, refused=True),
            judged("d", answerable=False, confidence=0.8),
            judged("e", answerable=False, confidence=0.7),
        )
    )
    assert (report.right_refusals, report.wrong_refusals) == (1, 1)
    assert report.figures["unanswerable"] == 3
    assert report.figures["confidence_auc"] == pytest.approx(3.5 / 6)  # 0.9 stands above three, 0.0 ties with one
    assert [item.question.id for item in report.worst][:3] == ["b", "d", "e"]
    assert report.scores["c"] == {"right_refusals": 1}


@pytest.mark.django_db
def test_questions_of_a_set_are_asked_of_its_collection_alone(
    public: Collection, restricted: Collection, index: AddDocument, superuser: Any
) -> None:
    index(public, "Pracownikowi przysługuje 26 dni urlopu wypoczynkowego.", uri="urlop.md")
    index(restricted, "Właściciel psa płaci rocznie 60 zł.", uri="pies.md")
    question = LabelledQuestion(id="q", question="Ile dni urlopu przysługuje pracownikowi?")
    for collection, refused in ((public, False), (restricted, True)):
        report = judge_answers([question], viewer=superuser, collection=collection)
        assert report.judged[0].refused is refused


def given(question: LabelledQuestion, viewer: Viewer) -> Answer:
    """What a reader gets who hears the answer out."""
    events = list(ask(AskRequest(question=question.question, viewer=viewer, save=False)))
    (completed,) = [event for event in events if isinstance(event, Completed)]
    return completed.answer


@pytest.mark.django_db
def test_an_earlier_answer_is_never_measured_in_place_of_a_new_one(
    public: Collection, index: AddDocument, anonymous: Any
) -> None:
    index(public, "Pracownikowi przysługuje 26 dni urlopu wypoczynkowego.", uri="urlop.md")
    question = LabelledQuestion(id="q", question="Ile dni urlopu przysługuje pracownikowi?")
    assert given(question, anonymous).metrics.cache == ""
    assert given(question, anonymous).metrics.cache == "answers"
    report = judge_answers([question], viewer=anonymous)
    assert report.judged[0].answer.metrics.cache == ""
