"""The search for better parts of a preset: what it finds, what it may claim, and that it goes on where it was."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from ingestion.jobs import run_job
from ingestion.models import Job
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.optimization import search as searching
from rag.evaluation.optimization.job import CostsMoney, NotWritten, check_optimization, write_parts
from rag.evaluation.optimization.objective import Objective, halves
from rag.evaluation.optimization.result import Optimum
from rag.evaluation.optimization.search import Search, TooFewQuestions
from rag.evaluation.resuming import Unwanted
from rag.models import Assistant, EvaluationDataset, Optimization, OptimizationTrial
from rag.presets import preset
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.expanded_query import weighed
from rag.search.query.terms import Alternative

pytestmark = pytest.mark.django_db

Scored = Callable[[LabelledQuestion, Mapping[str, Any]], float]

QUESTIONS = [
    LabelledQuestion(id=f"p{n}", question=f"Ile kosztuje rzecz {n}?", expected_answer_contains=("zł",), kind="how_much")
    for n in range(24)
] + [LabelledQuestion(id=f"n{n}", question=f"Kto wymyślił rzecz {n}?", answerable=False) for n in range(8)]


@pytest.fixture
def dataset(db: None) -> EvaluationDataset:
    return store_dataset(name="ceny", questions=QUESTIONS)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, Any]]:
    """With which parts the questions were asked. They are served as groups of documents weigh, from 0.3 on well."""
    monkeypatch.setattr(searching, "_MOST_PROPOSALS", 15)
    return scored(monkeypatch, lambda question, parts: float(parts.get("communities", 0.1) >= 0.3))


def scored(monkeypatch: pytest.MonkeyPatch, score: Scored) -> list[Mapping[str, Any]]:
    asked: list[Mapping[str, Any]] = []

    def scores(self: Objective, questions: Sequence[LabelledQuestion], parts: Any, progress: Any) -> dict[str, float]:
        asked.append(parts)
        progress(1, 1)
        return {question.id: score(question, parts) for question in questions}

    monkeypatch.setattr(Objective, "scores", scores)
    return asked


def wanted(dataset: EvaluationDataset, **fields: Any) -> Optimization:
    chosen = {"preset": "fast", "measure": "served", "seconds": 60, **fields}
    return Optimization.objects.create(dataset=dataset, **chosen)


def search(optimization: Optimization) -> Optimum:
    return Search(optimization, progress=lambda done, total: None).run()


def test_a_gain_is_found_proven_and_only_what_gains_is_changed(
    dataset: EvaluationDataset, served: list[Mapping[str, Any]]
) -> None:
    optimization = wanted(dataset)
    found = search(optimization)
    assert [change.name for change in found.changes] == ["communities"]
    assert found.parts["communities"] >= 0.3
    assert (found.searched, found.held_out.before, found.held_out.after) == ((0.0, 1.0), 0.0, 1.0)
    assert found.proven
    optimization.refresh_from_db()
    assert optimization.result["parts"] == found.parts


def test_what_gains_on_the_questions_searched_on_alone_is_not_claimed(
    dataset: EvaluationDataset, served: list[Mapping[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt = {question.id for question in halves(QUESTIONS)[0]}
    scored(monkeypatch, lambda question, parts: float(question.id in learnt and parts.get("communities", 0) >= 0.3))
    found = search(wanted(dataset))
    assert (found.searched[1], found.held_out.change, found.proven) == (1.0, 0.0, False)


def test_where_nothing_is_better_nothing_is_changed(
    dataset: EvaluationDataset, served: list[Mapping[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    scored(monkeypatch, lambda question, parts: float(not parts))
    found = search(wanted(dataset))
    assert (found.changes, found.proven) == ((), False)


def test_a_search_that_was_broken_off_goes_on_where_it_was(
    dataset: EvaluationDataset, served: list[Mapping[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    optimization = wanted(dataset)
    keep, kept = searching._keep_trial, []

    def keep_four(trial: OptimizationTrial) -> None:
        if len(kept) == 4:
            raise KeyboardInterrupt
        kept.append(trial)
        keep(trial)

    monkeypatch.setattr(searching, "_keep_trial", keep_four)
    with pytest.raises(KeyboardInterrupt):
        search(optimization)
    monkeypatch.setattr(searching, "_keep_trial", keep)
    before = [dict(parts) for parts in served[:4]]
    del served[:]
    assert search(optimization).proven
    assert not [parts for parts in served[:-2] if parts in before]  # the last two are the questions held out


def test_one_that_is_deleted_meanwhile_ends(dataset: EvaluationDataset, served: list[Mapping[str, Any]]) -> None:
    optimization = wanted(dataset)
    prepared = Search(optimization, progress=lambda done, total: None)
    dataset.delete()
    with pytest.raises(Unwanted):
        prepared.run()


def test_each_half_has_its_share_of_each_kind() -> None:
    for half in halves(QUESTIONS):
        assert [sum(question.answerable is can for question in half) for can in (True, False)] == [12, 4]


def test_too_few_questions_prove_nothing(db: None) -> None:
    few = store_dataset(name="mało", questions=QUESTIONS[:10])
    with pytest.raises(TooFewQuestions, match="10"):
        check_optimization(wanted(few))


def test_a_preset_that_asks_a_model_costs_money(dataset: EvaluationDataset) -> None:
    with pytest.raises(CostsMoney, match="fast"):
        check_optimization(wanted(dataset))
    check_optimization(wanted(dataset), may_cost=True)
    check_optimization(wanted(dataset, preset="offline"))


def test_an_assistant_gets_what_is_proven_unless_it_changed(
    dataset: EvaluationDataset, served: list[Mapping[str, Any]]
) -> None:
    assistant = Assistant.objects.create(name="Cennik", slug="cennik", parts={"related": 1})
    optimization = wanted(dataset, preset="", assistant=assistant, parts=assistant.parts)
    with pytest.raises(NotWritten):
        write_parts(optimization)
    found = search(optimization)
    written = write_parts(optimization)
    assert written.parts == {"related": 1, **found.parts}
    with pytest.raises(NotWritten, match="zmienił się"):
        write_parts(optimization)


def test_from_the_page_to_the_report(dataset: EvaluationDataset, served: list[Mapping[str, Any]]) -> None:
    client = signed_in("view_evaluationdataset", "add_evaluationrun")
    response = begin(client, dataset)
    optimization = Optimization.objects.get()
    page = reverse("admin:rag_evaluationrun_optimization", args=[optimization.pk])
    assert response.redirect_chain[-1][0] == page
    begin(client, dataset)
    run_job(str(Job.objects.get(kind="optimization").pk))
    shown = client.get(page).content.decode()
    assert "Poprawa jest dowiedziona" in shown
    assert "communities" in shown
    report = client.get(reverse("admin:rag_evaluationrun_optimization_report", args=[optimization.pk]))
    assert "Ile kosztuje rzecz" in report.content.decode()
    assert signed_in().get(page).status_code in {403, 404}


def test_searches_for_assistants_are_for_those_who_see_assistants(dataset: EvaluationDataset) -> None:
    assistant = Assistant.objects.create(name="Cennik", slug="cennik")
    page = reverse("admin:rag_evaluationrun_optimization", args=[wanted(dataset, assistant=assistant).pk])
    assert signed_in("view_evaluationdataset").get(page).status_code == 404
    assert signed_in("view_evaluationdataset", "view_assistant").get(page).status_code == 200


def test_the_command_says_what_it_found(
    dataset: EvaluationDataset, served: list[Mapping[str, Any]], capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    report = tmp_path / "raport.html"
    call_command("optimize", dataset="ceny", preset="offline", minutes=1, report=report, verbosity=0)
    assert '{"presets": {"offline": {"communities":' in capsys.readouterr().out
    assert "<polyline" in report.read_text()
    with pytest.raises(CommandError, match="--assistant"):
        call_command("optimize", dataset="ceny", write=True)


def test_words_of_the_lexicon_are_weighed_and_those_of_editors_are_not() -> None:
    words = tuple(
        Alternative(typed="śmieci", text="odpady", terms=(), weight=0.5, source=source, stands_for=(0,))
        for source in ("lexicon", "editor")
    )
    query = AnalysedQuery(text="śmieci", terms=(), alternatives=words)
    assert [one.weight for one in weighed(query, 0.5).alternatives] == [0.25, 0.5]
    assert [one.source for one in weighed(query, 0.0).alternatives] == ["editor"]
    assert preset("offline").lexicon_weight == 1.0


def signed_in(*permissions: str) -> Client:
    user = User.objects.create_user(f"osoba{User.objects.count()}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def begin(client: Client, dataset: EvaluationDataset) -> Any:
    fields = {"of": dataset.pk, "tries": "parts", "measure": "served", "subject": "preset:offline", "minutes": 5}
    return client.post(reverse("admin:rag_evaluationrun_optimize"), fields, follow=True)
