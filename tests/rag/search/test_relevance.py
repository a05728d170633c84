"""The number that thresholds and readers see: from own weights, from the shipped ones, or openly a guess."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.models import EmbeddingSpace
from rag.search.relevance.calibration import (
    Calibration,
    Weight,
    as_stored,
    from_stored,
    is_calibrated,
    logistic,
    shipped_calibration,
    shipped_calibrations,
)
from rag.search.relevance.relevance import by_cosine
from rag.services.search import search_passages
from rag.types import SearchResult
from tests.conftest import index_text, make_public
from tests.kept import Kept

NOTHING, EVERYTHING = {"early": 0.0, "kinship": 0.0}, {"early": 1.0, "kinship": 1.0}
NEURAL = {"method": "weighted", "dense_weight": 0.5, "similarity_middle": 0.6, "reranker": "none"}


def search_in(fusion: dict[str, Any], calibration: dict[str, Any]) -> SearchResult:
    EmbeddingSpace.objects.update(fusion=fusion, calibration=calibration)
    return search_passages(query="urlop pracownika", viewer=AnonymousUser())


@pytest.fixture(scope="module")
def kept_indexed(kept_rows: Kept) -> None:
    with kept_rows.writing():
        for n, text in enumerate(["Urlop pracownika trwa 26 dni.", "Pracownik płaci podatek.", "Psy wolno prowadzać."]):
            index_text(make_public(), text, name=f"{n}.txt")


@pytest.fixture
def indexed(kept_indexed: None, db: None) -> None:
    """What `kept_indexed` wrote."""


@pytest.mark.parametrize("reranker", ["features", "none", "diversity", "cross_encoder"])
def test_the_shipped_weights_tell_all_of_the_words_from_none(reranker: str) -> None:
    calibration = shipped_calibration(reranker)
    assert calibration.chance(NOTHING) < 0.05
    assert calibration.chance(EVERYTHING) > 0.95


def test_the_shipped_weights_say_where_they_come_from() -> None:
    for calibration in shipped_calibrations().values():
        assert calibration.questions > 1000
        assert calibration.fitted_on
        assert calibration.quality["ece"] < 0.05


def test_a_calibration_is_stored_and_read_back() -> None:
    calibration = Calibration(inputs={"early": Weight(weight=1.5, mean=0.4, scale=0.2)}, bias=-1.0, fitted_on="gmina")
    assert from_stored(as_stored(calibration)) == calibration
    assert calibration.chance({"early": 0.4, "kinship": 1.0}) == logistic(-1.0)


def test_no_value_is_too_great_for_a_chance() -> None:
    assert logistic(1e6) == 1.0
    assert logistic(-1e6) == 0.0
    assert logistic(0.0) == 0.5


def test_an_even_chance_stands_at_the_middle_of_the_cosines() -> None:
    assert by_cosine(0.6, 0.6) == 0.5
    assert by_cosine(0.8, 0.6) > 0.9
    assert by_cosine(0.3, 0.6) < 0.1


def test_the_shipped_weights_hold_only_where_no_meaning_is_compared() -> None:
    letters, meaning = EmbeddingSpace(fusion={}), EmbeddingSpace(fusion=NEURAL)
    assert is_calibrated(letters, "features")
    assert not is_calibrated(letters, "cross_encoder")
    assert not is_calibrated(meaning, "none")
    meaning.calibration = {"none": as_stored(Calibration(inputs={}, bias=0.0))}
    assert is_calibrated(meaning, "none")
    assert not is_calibrated(meaning, "cross_encoder")


@pytest.mark.usefixtures("indexed")
def test_a_search_uses_the_weights_of_its_space_and_reranker() -> None:
    before = search_in({"reranker": "features"}, {})
    own = as_stored(Calibration(inputs={}, bias=0.0))
    after = search_in({"reranker": "features"}, {"features": own, "none": as_stored(Calibration(inputs={}, bias=9.0))})
    assert {passage.relevance for passage in after.passages} == {0.5}
    assert [p.chunk_id for p in after.passages] == [p.chunk_id for p in before.passages]
    assert {passage.relevance for passage in before.passages} != {0.5}


@pytest.mark.usefixtures("indexed")
def test_a_search_says_that_relevance_is_a_guess_until_it_is_calibrated() -> None:
    def said(result: SearchResult) -> list[str]:
        return [entry.reason for entry in result.trace if entry.stage == "relevance"]

    assert len(said(search_in(NEURAL, {}))) == 1
    assert said(search_in(NEURAL, {"none": as_stored(Calibration(inputs={}, bias=0.0))})) == []
    assert said(search_in({"reranker": "features"}, {})) == []


@pytest.mark.usefixtures("indexed")
def test_where_meaning_is_compared_a_passage_without_the_words_can_be_relevant() -> None:
    words_only = search_in({**NEURAL, "similarity_middle": None}, {})
    with_meaning = search_in({**NEURAL, "similarity_middle": -1.0}, {})
    assert min(p.relevance for p in with_meaning.passages) > 0.9
    assert min(p.relevance for p in words_only.passages) < 0.5


@pytest.mark.usefixtures("indexed")
def test_where_meaning_is_compared_a_passage_with_the_words_stays_relevant_though_its_cosine_is_low() -> None:
    words_only = search_in({**NEURAL, "similarity_middle": None}, {})
    far_apart = search_in({**NEURAL, "similarity_middle": 2.0}, {})
    assert max(p.relevance for p in far_apart.passages) == max(p.relevance for p in words_only.passages) > 0.5
