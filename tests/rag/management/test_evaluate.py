"""`manage.py evaluate`, from a folder of files to a stored and compared measurement."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Collection, Document
from rag.models import EvaluationDataset, EvaluationRun
from tests.rag.evaluation.conftest import WriteFolder, write_folder  # noqa: F401  (a fixture)

pytestmark = pytest.mark.django_db


def evaluate(dataset: Path | str, **options: Any) -> str:
    out = StringIO()
    call_command("evaluate", dataset=str(dataset), stdout=out, verbosity=0, **options)
    return out.getvalue()


def test_a_folder_is_indexed_measured_and_kept(write_folder: WriteFolder) -> None:  # noqa: F811
    printed = evaluate(write_folder())
    assert "nowe dokumenty 4" in printed
    assert "0 z 3 pytań" in printed
    run = EvaluationRun.objects.get()
    assert (run.dataset, run.kind, run.preset, run.questions) == ("gmina", "retrieval", "offline", 3)
    assert run.metrics["MRR@10"] == 1
    assert run.scores["q1"]["nDCG@10"] == 1
    assert run.latency["total"]["p50"] > 0
    collection = Collection.objects.get(slug="eval-gmina")
    assert (collection.visibility, collection.groups.count()) == ("restricted", 0)
    assert EvaluationDataset.objects.get(name="gmina").collection == collection


def test_the_second_time_nothing_is_indexed_and_the_name_will_do(write_folder: WriteFolder) -> None:  # noqa: F811
    folder = write_folder()
    evaluate(folder)
    indexed = list(Document.objects.values_list("pk", "indexed"))
    assert "nowe dokumenty 0, bez zmian 4" in evaluate(folder)
    evaluate("gmina")
    assert list(Document.objects.values_list("pk", "indexed")) == indexed
    assert EvaluationRun.objects.count() == 3


def test_runs_are_compared_by_question(write_folder: WriteFolder) -> None:  # noqa: F811
    evaluate(write_folder())
    first = EvaluationRun.objects.get()
    for scores in first.scores.values():
        scores["MRR@10"] = 0.25
    first.save()
    printed = evaluate("gmina", compare="last")
    assert f"Porównanie z przebiegiem {first.pk}" in printed
    assert any(
        line.split() == ["MRR@10", "0,250", "1,000", "+0,750", "0,2500", "3", "/", "0"] for line in printed.splitlines()
    )
    assert "Test permutacyjny par" in printed


def test_json_says_the_same_and_nothing_else(write_folder: WriteFolder) -> None:  # noqa: F811
    evaluate(write_folder())
    first = EvaluationRun.objects.get()
    said = json.loads(evaluate("gmina", compare=str(first.pk), json=True, limit=2, strip_diacritics=True, typos=True))
    assert said["options"] == {"limit": 2, "seed": 0, "strip_diacritics": True, "typos": True}
    assert (said["questions"], said["compared_with"]) == (2, first.pk)
    assert said["differences"]["nDCG@10"]["questions"] == 2


def test_questions_without_polish_letters_are_asked_and_found(write_folder: WriteFolder) -> None:  # noqa: F811
    printed = evaluate(write_folder(), strip_diacritics=True)
    assert "pytania bez polskich znaków" in printed
    assert EvaluationRun.objects.get().metrics["MRR@10"] == 1


def test_what_cannot_be_read_is_said(write_folder: WriteFolder, tmp_path: Path) -> None:  # noqa: F811
    with pytest.raises(CommandError, match="qrels"):
        evaluate(write_folder(qrels=None))
    with pytest.raises(CommandError, match="Nie ma pliku"):
        evaluate(tmp_path / "nowhere")
    assert not EvaluationRun.objects.exists()


@pytest.mark.parametrize("reference", ["last", "99999", "pierwszy"])
def test_an_unknown_run_is_said_before_anything_is_measured(write_folder: WriteFolder, reference: str) -> None:  # noqa: F811
    with pytest.raises(CommandError, match=reference):
        evaluate(write_folder(), compare=reference)
    assert not EvaluationRun.objects.exists()
