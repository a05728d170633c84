"""`manage.py evaluate --answers`, from questions to a table, a stored run and its comparison."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Collection
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.models import EvaluationRun
from tests.conftest import AddDocument
from tests.messages_server import MessagesServer, Turn

pytestmark = pytest.mark.django_db

ROWS = [
    {
        "id": "a1",
        "question": "Ile dni urlopu przysługuje pracownikowi?",
        "expected_documents": ["urlop.md"],
        "expected_answer_contains": ["26 dni"],
    },
    {"id": "a2", "question": "Jak karmić kanarka zimą?", "answerable": False},
]
GRADES = {"relevance": 5, "correctness": 5, "completeness": 4, "coherence": 3, "faithfulness": 5}


def evaluate(dataset: Path | str, **options: Any) -> str:
    out = StringIO()
    call_command("evaluate", dataset=str(dataset), stdout=out, verbosity=0, **options)
    return out.getvalue()


@pytest.fixture
def questions(public: Collection, index: AddDocument, tmp_path: Path) -> Path:
    index(public, "Pracownikowi z dziesięcioletnim stażem przysługuje 26 dni urlopu.", uri="urlop.md")
    path = tmp_path / "pytania.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def model(settings: Any) -> Iterator[MessagesServer]:
    with MessagesServer(Turn.structured({**GRADES, "reason": "Zbyt lakoniczna."})) as server:
        prices = {"sędzia": {"input": 10.0, "output": 100.0}}
        llm = {"api_key": "klucz", "base_url": server.url, "models": {"judging": "sędzia"}, "prices": prices}
        settings.RAG = {**settings.RAG, "llm": llm}
        yield server


def cells(printed: str, measure: str) -> list[str]:
    """The words of the table's row after its name."""
    (row,) = [line for line in printed.splitlines() if line.strip().startswith(measure)]
    return row.replace(measure, "", 1).split()


def test_a_question_set_measures_answers(questions: Path) -> None:
    printed = evaluate(questions)
    assert cells(printed, "Dobre odpowiedzi")[:4] == ["1", "z", "1", "(100%)"]
    assert cells(printed, "Słuszne odmowy")[:4] == ["1", "z", "1", "(100%)"]
    assert cells(printed, "Poprawność") == ["1,000", "1", "1,000", "–", "1,000"]
    run = EvaluationRun.objects.get()
    assert (run.kind, run.questions, run.options) == ("answers", 2, {"limit": 0, "seed": 0, "judge": ""})
    assert (run.metrics["right_refusals"], run.metrics["correctness"], run.metrics["confidence_auc"]) == (1, 1, 1)
    assert run.scores["a2"] == {"right_refusals": 1}
    assert run.scores["a1"]["answers_with_expected_words"] == run.scores["a1"]["citation_recall"] == 1


def test_a_run_is_compared_with_the_last_one_by_itself(questions: Path) -> None:
    evaluate(questions)
    first = EvaluationRun.objects.get()
    first.scores["a1"]["correctness"] = 0.25
    first.save()
    printed = evaluate("pytania")
    assert f"Porównanie z przebiegiem {first.pk}" in printed
    compared = printed[printed.index("Porównanie z przebiegiem") :]
    assert cells(compared, "Poprawność")[:3] == ["0,250", "1,000", "+0,750"]


def test_a_run_is_not_kept_where_nobody_wants_it(questions: Path) -> None:
    assert "Nie zapisano" in evaluate(questions, save=False)
    assert not EvaluationRun.objects.exists()


def test_what_is_wrong_is_said_of_each_of_the_worst_answers(questions: Path) -> None:
    rows = [
        {"id": "b1", "question": "Ile dni urlopu przysługuje pracownikowi?", "expected_answer_contains": ["20 dni"]},
        {"id": "b2", "question": "Ile dni urlopu przysługuje pracownikowi?", "answerable": False},
        {"id": "b3", "question": "Jak karmić kanarka zimą?", "expected_answer_contains": ["ziarnem"]},
    ]
    questions.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    printed = evaluate(questions)
    assert "Odpowiedzi wymagające uwagi: 3" in printed
    assert "b1  brak oczekiwanych słów: Ile dni" in printed
    assert "b2  odpowiedź, choć nie ma jej w źródłach: Ile dni" in printed
    assert "b3  niesłuszna odmowa: Jak karmić" in printed


def test_a_right_answer_need_not_be_worded_as_the_expected_one(questions: Path) -> None:
    row = {"id": "c1", "question": ROWS[0]["question"], "expected_answer": "26 dni"}
    questions.write_text(json.dumps(row), encoding="utf-8")
    printed = evaluate(questions)
    assert cells(printed, "Dokładnie taka jak oczekiwana")[0] == "0,000"
    assert "Żadna odpowiedź nie wymaga uwagi." in printed


def test_a_set_with_a_collection_can_have_its_answers_measured_there(public: Collection, index: AddDocument) -> None:
    index(public, "Pracownikowi z dziesięcioletnim stażem przysługuje 26 dni urlopu.", uri="urlop.md")
    questions = [LabelledQuestion.model_validate(row) for row in ROWS]
    store_dataset(name="zbior", questions=questions, collection=public)
    assert "Zbiór zbior: odpowiedzi, próba 1 pytań" in evaluate("zbior", answers=True, limit=1)
    evaluate("zbior")
    assert sorted(EvaluationRun.objects.values_list("kind", flat=True)) == ["answers", "retrieval"]


def test_without_a_key_no_model_judges_and_that_is_said(questions: Path) -> None:
    assert "Bez ocen modelu: żadnego nie skonfigurowano" in evaluate(questions, judge=True, preset="offline")
    assert EvaluationRun.objects.get().options["judge"] == ""


def test_a_model_judges_and_its_grades_reason_and_cost_are_said(questions: Path, model: MessagesServer) -> None:
    printed = evaluate(questions, judge=True, preset="offline")
    assert cells(printed, "Ocena modelu: kompletność") == ["0,750", "1", "0,750", "–", "0,750"]
    assert "Oceniał model sędzia: tokeny 100 + 20, koszt 0,0030 USD." in printed
    assert EvaluationRun.objects.get().scores["a1"]["judge_coherence"] == 0.5
    judged = [request for request in model.requests if "Oceń odpowiedź z <answer>" in str(request.body["messages"])]
    assert len(judged) == 1


def test_the_judges_failure_is_said_and_skipped(questions: Path, model: MessagesServer) -> None:
    model.turns = [Turn(status=400, error_type="invalid_request_error")]
    printed = evaluate(questions, judge=True, preset="offline")
    assert "Nie udało się ocenić odpowiedzi: 1" in printed
    assert "judge_relevance" not in EvaluationRun.objects.get().metrics


def test_json_has_the_intervals_too(questions: Path) -> None:
    said = json.loads(evaluate(questions, json=True))
    assert said["metrics"]["correctness"] == 1
    assert said["intervals"]["correctness"] == {"low": 1.0, "high": 1.0, "questions": 1}


def test_options_of_retrieval_are_refused_for_answers() -> None:
    store_dataset(name="zestaw", questions=[LabelledQuestion(id="q", question="Ile?")])
    with pytest.raises(CommandError, match="--typos"):
        evaluate("zestaw", typos=True)
