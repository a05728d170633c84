"""Measurements in the admin: the page of one, two compared."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from rag.evaluation.measures.significance import compare_scores
from rag.evaluation.run_results import verdict
from rag.models import EvaluationDataset
from rag.services.judging import create_dataset
from tests.rag.admin.evaluation.conftest import CHANGE, COMPARE, RUNS, make_run, text_of

pytestmark = pytest.mark.django_db


def test_the_page_of_a_run_shows_measures_times_and_the_weakest_questions(
    editor: Client, dataset: EvaluationDataset
) -> None:
    run = make_run("gmina", [0.9, 0.1] + [1.0] * 30)
    response = editor.get(reverse(CHANGE.format("run"), args=[run.pk]))
    weakest = response.context["weakest"]
    assert [(one.key, one.score) for one in weakest[:2]] == [("pytanie-numer-1", 0.1), ("pytanie-numer-0", 0.9)]
    assert (len(weakest), weakest[0].question.text) == (20, "Pytanie numer 1?")
    estimate = response.context["measured"][0].estimate
    assert estimate.low <= estimate.mean <= estimate.high
    assert len(response.context["latency"]) == 1


def test_two_chosen_runs_are_compared(editor: Client, dataset: EvaluationDataset) -> None:
    before, after = make_run("gmina", [0.2] * 12), make_run("gmina", [0.8] * 11 + [0.2])
    action = {"action": "compare", "_selected_action": [after.pk, before.pk]}
    response = editor.post(reverse(RUNS), action, follow=True)
    main = response.context["main"]
    assert main.difference.significant
    assert (main.difference.better, main.difference.worse, main.same) == (11, 0, 1)
    assert [one.key for one in response.context["lost"]] == []
    assert len(response.context["gained"]) == 10


def test_one_run_or_three_are_not_compared(editor: Client, dataset: EvaluationDataset) -> None:
    run = make_run("gmina", [0.2] * 12)
    response = editor.post(reverse(RUNS), {"action": "compare", "_selected_action": [run.pk]})
    assert response["Location"].startswith(reverse(RUNS))


def test_runs_of_different_sets_are_not_compared(editor: Client, dataset: EvaluationDataset) -> None:
    create_dataset(name="inny")
    runs = make_run("gmina", [0.2] * 12), make_run("inny", [0.2] * 12)
    response = editor.get(reverse(COMPARE), {"before": runs[0].pk, "after": runs[1].pk})
    assert not response.context["comparable"]


def test_the_verdict_says_what_may_be_chance() -> None:
    def said(before: list[float], after: list[float]) -> str:
        rows = [{str(n): {"m": score} for n, score in enumerate(scores)} for scores in (before, after)]
        return verdict(compare_scores(*rows)[0])

    verdicts = [said([0.5] * 12, after) for after in ([0.5] * 12, [0.6] + [0.5] * 11, [0.9] * 12, [0.1] * 12)]
    assert len(set(verdicts)) == 4


def test_runs_of_a_set_that_is_gone_are_for_superusers(editor: Client, superuser: User) -> None:
    run = make_run("dawny", [0.5])
    assert "dawny" not in text_of(editor, RUNS)
    chief = Client()
    chief.force_login(superuser)
    assert text_of(chief, CHANGE.format("run"), run.pk)
