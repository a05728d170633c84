"""`manage.py evaluate` of everyday questions: figures that say what they mean, and the questions that got worse."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from ingestion.models import Collection
from rag.models import EvaluationDataset, EvaluationRun
from tests.conftest import AddDocument

pytestmark = pytest.mark.django_db

ROWS = [
    {
        "id": "a1",
        "question": "Ile dni urlopu przysługuje pracownikowi?",
        "kind": "how_many",
        "expected_documents": ["urlop.md"],
        "expected_answer_contains": ["26 dni"],
    },
    {"id": "a2", "question": "Jak karmić kanarka zimą?", "answerable": False, "kind": "far"},
]


@pytest.fixture
def questions(public: Collection, index: AddDocument, tmp_path: Path) -> str:
    index(public, "Pracownikowi z dziesięcioletnim stażem przysługuje 26 dni urlopu.", uri="urlop.md")
    path = tmp_path / "pytania.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return str(path)


def evaluate(*arguments: str) -> str:
    out = StringIO()
    call_command("evaluate", *arguments, stdout=out, verbosity=0)
    return out.getvalue()


def was(run: EvaluationRun, key: str, outcome: str) -> None:
    run.outcomes[key]["outcome"] = outcome
    run.save()


def test_each_figure_stands_with_its_meaning_and_each_kind_in_words(questions: str) -> None:
    printed = evaluate(questions)
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert "Dobre odpowiedzi 1 z 1 (100%) jest w nich wszystko, co musi być w odpowiedzi" in lines
    assert "Słuszne odmowy, pytania nie na temat 1 z 1 (100%) o czymś zupełnie innym" in lines
    assert any(line.startswith("ile, jak długo 1 1 0 0 1 ") for line in lines)
    assert "how_many" not in printed
    assert EvaluationRun.objects.get().outcomes["a2"]["outcome"] == "refused"


def test_questions_that_got_worse_or_better_are_named(questions: str) -> None:
    evaluate(questions)
    first = EvaluationRun.objects.get()
    was(first, "a2", "wrong")
    printed = evaluate(questions)
    assert f"Gorzej niż w przebiegu {first.pk}: 0 z 2 pytań." in printed
    assert "a2  Jak karmić kanarka zimą?\n      błędna odpowiedź → odmowa" in printed
    later = EvaluationRun.objects.latest("pk")
    was(later, "a1", "nearest")
    was(later, "a2", "refused")
    values = json.loads(evaluate(questions, "--json"))["everyday"]
    assert (values["worse"], [one["question"] for one in values["better"]]) == ([], ["a1"])


def test_where_nothing_changed_that_is_said(questions: str) -> None:
    evaluate(questions)
    assert "żadne pytanie nie wypada gorzej ani lepiej (wspólnych pytań: 2)" in evaluate(questions)


def test_a_run_of_before_outcomes_were_kept_names_no_question(questions: str) -> None:
    evaluate(questions)
    EvaluationRun.objects.update(outcomes={})
    printed = evaluate(questions)
    assert "Porównanie z przebiegiem" in printed
    assert "Gorzej niż" not in printed


def test_programs_get_figures_kinds_and_reliability(questions: str) -> None:
    values = json.loads(evaluate(questions, "--json"))["everyday"]
    assert (values["figures"]["right"], values["figures"]["refused_rightly_far"]) == (1, 1)
    assert values["kinds"]["how_many"]["answered"] == 1
    assert sum(one["answers"] for one in values["reliability"]) == 1
    assert "worse" not in values


def test_the_everyday_set_is_asked_where_none_is_named(public: Collection, index: AddDocument) -> None:
    index(public, "Sprawy kart sportowych prowadzi Joanna Wierzbicka.", uri="kadry/benefity.html")
    assert "Zbiór codzienne: odpowiedzi, próba 2 pytań" in evaluate("--limit", "2")
    assert EvaluationDataset.objects.get().questions.count() == 150
    assert "Zbiór urzad: odpowiedzi" in evaluate("urzad", "--limit", "1")
