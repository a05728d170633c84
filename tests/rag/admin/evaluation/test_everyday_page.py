"""The page of a run of answers: figures in words, kinds, confidence, and the questions that changed."""

from typing import Any

import pytest
from django.test import Client

from rag.models import EvaluationDataset, EvaluationRun
from tests.rag.admin.evaluation.conftest import CHANGE, make_run, text_of

pytestmark = pytest.mark.django_db


def a_run(*outcomes: str, **fields: Any) -> EvaluationRun:
    run = make_run("gmina", [1.0] * len(outcomes), **fields)
    run.kind = "answers"
    run.outcomes = {
        f"pytanie-numer-{number}": {
            "kind": "who", "answerable": True, "outcome": outcome, "confidence": 0.65, "rank": 1,
        }
        for number, outcome in enumerate(outcomes)
    }  # fmt: skip
    run.save()
    return run


def page(client: Client, run: EvaluationRun) -> str:
    return " ".join(text_of(client, CHANGE.format("run"), run.pk).split())


def test_figures_kinds_and_confidence_are_said_in_words(editor: Client, dataset: EvaluationDataset) -> None:
    shown = page(editor, a_run("right", "right", "wrong", "refused"))
    assert "Co wyszło z pytań" in shown
    assert "jest w nich wszystko, co musi być w odpowiedzi" in shown
    assert "2 z 4" in shown
    assert "60–70%" in shown
    assert (
        '<th scope="row">kto</th><td>4</td><td>2</td><td>0</td><td>1</td><td>3</td> <td>65%</td> <td>67%</td>' in shown
    )
    assert "Zmiany od poprzedniego pomiaru" not in shown


def test_questions_that_changed_are_named_and_led_to(editor: Client, dataset: EvaluationDataset) -> None:
    before = a_run("right", "refused", "right", "right")
    dataset.questions.get(external_id="pytanie-numer-1").delete()
    shown = page(editor, a_run("sure_wrong", "right", "right", "right"))
    assert "Gorzej: 1" in shown
    assert 'Pytanie numer 0?</a> <span class="kt-note">dobra odpowiedź → błędna odpowiedź podana jako pewna' in shown
    assert "Lepiej: 1" in shown
    assert 'pytanie-numer-1 <span class="kt-note">odmowa → dobra odpowiedź' in shown
    assert f"/evaluationrun/{before.pk}/" in shown


def test_where_nothing_changed_that_is_said(editor: Client, dataset: EvaluationDataset) -> None:
    a_run("right")
    assert "Żadne pytanie nie wypada gorzej ani lepiej." in page(editor, a_run("right"))


def test_a_run_of_retrieval_has_no_such_table(editor: Client, dataset: EvaluationDataset) -> None:
    assert "Co wyszło z pytań" not in page(editor, make_run("gmina", [0.5]))
