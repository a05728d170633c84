"""`reembed --rechunk`: what an administrator types, and what comes back."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Collection, Document, Job, Rechunking
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from tests.conftest import AddDocument

TEXT = "\n\n".join(f"Akapit {n} o urlopie wypoczynkowym pracownika." for n in ("pierwszy", "drugi", "trzeci"))


@pytest.fixture(autouse=True)
def document(settings: Any, public: Collection, index: AddDocument) -> Document:
    settings.RAG = {**settings.RAG, "reembedding": {"rest": 0.0}}
    return index(public, TEXT, name="urlop.txt")


def reembed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    call_command("reembed", *options)
    return capsys.readouterr().out


def test_it_splits_and_says_what_changed_and_how_to_go_back(
    document: Document, capsys: pytest.CaptureFixture[str]
) -> None:
    said = reembed(capsys, "--rechunk", "--chunk-size", "16", "--overlap", "0")
    assert "Publiczna: jak w ustawieniach → adaptive, do 16 tokenów, zakładka 0" in said
    assert "1 z 1" in said
    assert "--roll-back" in said
    assert document.chunks.count() == 3
    assert "nic do zrobienia" in reembed(capsys, "--rechunk", "--chunk-size", "16", "--overlap", "0")
    assert "Publiczna: z powrotem jak w ustawieniach" in reembed(capsys, "--rechunk", "--roll-back")
    assert document.chunks.count() == 1
    assert "cofnięta" in reembed(capsys, "--rechunk", "--list")


def test_json_alone_is_written_for_programs(document: Document, capsys: pytest.CaptureFixture[str]) -> None:
    values = json.loads(reembed(capsys, "--rechunk", "--chunk-size", "16", "--overlap", "0", "--json"))
    assert (values["status"], values["done"], values["total"]) == ("done", 1, 1)
    assert values["collections"]["publiczna"]["after"]["chunk_size"] == 16
    assert json.loads(reembed(capsys, "--rechunk", "--chunk-size", "16", "--overlap", "0", "--json")) is None
    assert len(json.loads(reembed(capsys, "--rechunk", "--list", "--json"))) == 1


def test_the_golden_set_puts_the_former_chunking_back(
    document: Document, public: Collection, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [LabelledQuestion(id="1", question="urlop", expected_documents=("urlop.txt",))]
    store_dataset(name="zlote", collection=public, questions=asked)
    said = reembed(capsys, "--rechunk", "--chunk-size", "16", "--overlap", "0", "--gate", "zlote", "--margin", "-0.5")
    assert "1.000 do 1.000" in said
    assert "Wrócił poprzedni podział" in said
    assert document.chunks.count() == 1


def test_what_does_not_go_together_is_refused(public: Collection, internal: Collection) -> None:
    for options in (
        ["--chunk-size", "16"],
        ["--rechunk", "--drop"],
        ["--rechunk", "--activate"],
        ["--rechunk", "--collection", "nieznana"],
        ["--rechunk", "--option", "percentile"],
        ["--rechunk", "--pause"],  # nothing runs
        ["--rechunk", "--chunker", "nieznany"],
    ):
        with pytest.raises(CommandError):
            call_command("reembed", *options)
    assert not Rechunking.objects.exists()


def test_only_the_named_collections_are_split(
    document: Document, internal: Collection, index: AddDocument, capsys: pytest.CaptureFixture[str]
) -> None:
    other = index(internal, TEXT, name="inny.txt")
    reembed(
        capsys,
        "--rechunk",
        "--chunker",
        "recursive",
        "--chunk-size",
        "16",
        "--overlap",
        "0",
        "--collection",
        "wewnetrzna",
    )
    assert (document.chunks.count(), other.chunks.count()) == (1, 3)


def test_originals_are_read_anew_where_that_is_wished(document: Document, capsys: pytest.CaptureFixture[str]) -> None:
    assert "w kolejce: 1" in reembed(capsys, "--rechunk", "--from-originals")
    assert Job.objects.filter(document=document, status="queued").count() == 1
