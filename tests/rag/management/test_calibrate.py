"""`manage.py calibrate`, from a stored set to the next search."""

import json
from collections.abc import Sequence
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors import operator
from rag.evaluation.calibration.fusion import Fusion, choose_fusion
from rag.evaluation.calibration.legs import Legs
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.search.retrieval.ranking import Hit
from rag.services.search import search_passages
from tests.conftest import index_text, make_public
from tests.kept import Kept

THINGS = [
    "paszport", "rower", "ogród", "kominek", "latarnia", "chodnik", "basen", "parking", "cmentarz", "targowisko",
    "przedszkole", "biblioteka",
]  # fmt: skip
STRANGE = [
    "kwazar", "neutron", "sonata", "fresk", "delfin", "gejzer", "atol", "lodowiec", "krater", "pulsar", "fiord",
    "bazalt",
]  # fmt: skip


def calibrate(*datasets: str, **options: Any) -> str:
    out = StringIO()
    call_command("calibrate", dataset=list(datasets), stdout=out, verbosity=0, **options)
    return out.getvalue()


def questions(things: Sequence[str], *, answerable: bool) -> list[LabelledQuestion]:
    return [
        LabelledQuestion(
            id=thing,
            question=f"Ile kosztuje {thing}?",
            answerable=answerable,
            expected_documents=(f"{thing}.txt",) if answerable else (),
        )
        for thing in things
    ]


@pytest.fixture(scope="module")
def kept_gmina(kept_rows: Kept) -> list[LabelledQuestion]:
    with kept_rows.writing():
        public = make_public()
        for n, thing in enumerate(THINGS):
            index_text(public, f"Opłata. Tyle kosztuje {thing}: {n + 10} zł.", name=f"{thing}.txt")
        asked = [*questions(THINGS, answerable=True), *questions(STRANGE, answerable=False)]
        store_dataset(name="gmina", questions=asked, collection=public)
        return asked


@pytest.fixture
def gmina(kept_gmina: list[LabelledQuestion], db: None) -> list[LabelledQuestion]:
    return deepcopy(kept_gmina)


@pytest.mark.slow
@pytest.mark.usefixtures("gmina")
def test_the_next_search_uses_what_was_fitted() -> None:
    before = search_passages(query="Ile kosztuje rower?", viewer=operator()).passages
    printed = calibrate("gmina")
    space = EmbeddingSpace.objects.get()
    assert f"Zapisano w przestrzeni {space}." in printed
    stored = space.calibration["features"]
    assert (stored["fitted_on"], stored["questions"]) == ("gmina", 24)
    assert stored["quality"].keys() == {"ece", "brier", "auc"}
    after = search_passages(query="Ile kosztuje rower?", viewer=operator()).passages
    assert [passage.chunk_id for passage in after] == [passage.chunk_id for passage in before]
    assert [passage.relevance for passage in after] != [passage.relevance for passage in before]
    assert all(0 <= passage.relevance <= 1 for passage in after)
    assert (
        after[0].relevance
        > 0.5
        > search_passages(query="Ile kosztuje kwazar?", viewer=operator()).passages[0].relevance
    )


@pytest.mark.usefixtures("gmina")
def test_a_dry_run_changes_nothing_and_still_reports(tmp_path: Path) -> None:
    page = tmp_path / "raport.html"
    assert "nic nie zapisano" in calibrate("gmina", dry_run=True, report=page)
    assert EmbeddingSpace.objects.get().calibration == {}
    assert "<svg" in page.read_text(encoding="utf-8")


@pytest.mark.usefixtures("gmina")
def test_json_says_it_all_and_nothing_else() -> None:
    said = json.loads(calibrate("gmina", json=True, reranker="none", fusion=True))
    assert (said["reranker"], said["answerable"], said["unanswerable"]) == ("none", 12, 12)
    assert said["after"]["auc"] > 0.9
    assert said["fusion"]["questions"] == 6
    assert EmbeddingSpace.objects.get().calibration.keys() == {"none"}


def test_questions_of_another_set_stand_for_those_without_an_answer(
    gmina: list[LabelledQuestion], internal: Collection
) -> None:
    answerable = [question for question in gmina if question.answerable]
    store_dataset(name="gmina", questions=answerable)
    with pytest.raises(CommandError, match="gmina"):
        calibrate("gmina")
    foreign = [question.model_copy(update={"answerable": True}) for question in questions(STRANGE, answerable=False)]
    store_dataset(name="obce", questions=foreign, collection=internal)
    assert json.loads(calibrate("gmina", json=True))["unanswerable"] == 12
    with pytest.raises(CommandError, match="gmina"):
        calibrate("gmina", alike=["obce,gmina"])


@pytest.mark.parametrize(
    ("datasets", "options", "said"),
    [
        (["nie-ma"], {}, "„nie-ma”"),
        ([], {}, "Podaj zbiór"),
        (["gmina"], {"space": "nie-ma"}, "Znane: word-vectors-1"),
        (["gmina"], {"reranker": "nie-ma"}, "nie-ma"),
        (["gmina"], {"report": Path("/nie/ma/raport.html")}, "/nie/ma/raport.html"),
        (["gmina"], {"limit": 0}, "--limit"),
        (["gmina"], {"limit": 5}, "10"),
    ],
)
@pytest.mark.usefixtures("gmina")
def test_what_cannot_be_done_is_said(datasets: list[str], options: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        calibrate(*datasets, **options)
    assert EmbeddingSpace.objects.get().calibration == {}


def legs(*, right: str) -> Legs:
    """Words find 1 first, vectors 2; the document that answers is that of `right`."""
    return Legs(
        lexical=(Hit(1, 9.0), Hit(2, 1.0)),
        dense=(Hit(2, 0.9), Hit(1, 0.3)),
        documents={1: "words", 2: "vectors"},
        judgements={right: 1},
    )


def test_fusion_changes_where_the_other_half_of_the_questions_agrees() -> None:
    words = Fusion(method="weighted", dense_weight=0.0, min_similarity=0.0)
    found = choose_fusion([legs(right="vectors")] * 40, current=words)
    assert found.better
    assert found.chosen.dense_weight > 0.4
    assert (found.after, found.questions) == (1.0, 20)


def test_fusion_stays_where_nothing_is_better() -> None:
    words = Fusion(method="weighted", dense_weight=0.1, min_similarity=0.0)
    found = choose_fusion([legs(right="words")] * 40, current=words)
    assert found.chosen == words
    assert not found.better


def test_a_gain_on_one_half_alone_is_not_believed() -> None:
    words = Fusion(method="weighted", dense_weight=0.0, min_similarity=0.0)
    found = choose_fusion([legs(right="vectors"), legs(right="words")] * 20, current=words)
    assert found.chosen.dense_weight > 0.4
    assert not found.better
