"""Broad questions are answered from many documents, and from those that belong to the best ones."""

from copy import deepcopy

import pytest

from ingestion.models import Collection, Document
from knowledgetree.conf import rag_settings
from rag.insight.communities.building import build_communities
from rag.presets import preset
from rag.search.reasons import exact_reasons
from rag.search.retriever import HybridRetriever
from rag.types import Filters, SearchResult
from rag.understanding.intent import classify
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept
from tests.rag.insight.communities.conftest import fill
from tests.rag.search.conftest import Search

BROAD = "Podsumuj, co wiadomo o wniosku do kierownika."
LONG = "\n\n".join(
    f"## Dział {n}\n\nWniosek do kierownika numer {n} leży w teczce. {'Bla ble. ' * 150}" for n in range(4)
)


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> dict[str, Document]:
    with kept_rows.writing():
        return fill(make_public(), index_text)


@pytest.fixture
def documents(kept_documents: dict[str, Document], db: None) -> dict[str, Document]:
    return deepcopy(kept_documents)


def titles(result: SearchResult) -> list[str]:
    return [passage.title for passage in result.passages]


def test_a_document_that_shares_no_word_comes_with_its_group(
    searching: Search, public: Collection, documents: dict[str, Document]
) -> None:
    question = "W skrócie: ślub i dni na własny ślub"
    build_communities(collection=public)
    without = titles(searching(question, intent="summary", communities=0.0, dense_weight=0.0))
    result = searching(question, intent="summary", communities=0.3, dense_weight=0.0)
    assert "Zaległy" not in without
    (passage,) = [passage for passage in result.passages if passage.title == "Zaległy"]
    (boost,) = passage.explanation.boosts
    assert boost.name == "communities"
    assert "urlop" in boost.reason
    assert any("grupy dokumentów" in sentence for sentence in exact_reasons(passage.explanation))
    assert titles(result)[0] == without[0]


@pytest.mark.parametrize(
    "parts", [{"intent": "factoid", "communities": 0.3}, {"intent": "summary", "communities": 0.0}]
)
def test_other_questions_and_presets_stay_as_they_are(
    searching: Search, public: Collection, documents: dict[str, Document], parts: dict[str, object]
) -> None:
    plain = titles(searching(BROAD))
    build_communities(collection=public)
    assert titles(searching(BROAD, **parts)) == plain


def test_each_document_speaks_once_before_any_speaks_twice(
    searching: Search, public: Collection, documents: dict[str, Document], index: AddDocument
) -> None:
    index(public, LONG, name="teczki.md", title="Teczki")
    found = titles(searching(BROAD, intent="summary", communities=0.2))
    assert found.count("Teczki") > 1
    assert len(set(found[: len(set(found))])) == len(set(found))


def test_a_document_that_the_question_names_keeps_all_its_passages(
    searching: Search, public: Collection, documents: dict[str, Document], index: AddDocument
) -> None:
    index(public, LONG, name="teczki.md", title="Wniosek do kierownika")
    plain = titles(searching("Streść wniosek do kierownika."))
    assert plain.count("Wniosek do kierownika") == 4
    assert titles(searching("Streść wniosek do kierownika.", intent="summary", communities=0.2)) == plain


def test_what_a_filter_leaves_out_no_group_brings_back(
    searching: Search, public: Collection, documents: dict[str, Document]
) -> None:
    build_communities(collection=public)
    Document.objects.filter(pk=documents["zaległy"].pk).update(valid_to="2020-01-01")
    found = titles(searching("W skrócie: ślub i dni na własny ślub", intent="summary", communities=0.3))
    assert "Zaległy" not in found


def test_the_collections_of_others_bring_nothing(
    searching: Search, public: Collection, restricted: Collection, documents: dict[str, Document], index: AddDocument
) -> None:
    fill(restricted, index)
    build_communities(collection=restricted)
    retriever = HybridRetriever(preset=preset("offline", {"communities": 0.5}), lexical=rag_settings().lexical)
    result = retriever.retrieve(BROAD, collections=[public], filters=Filters(), top_k=20, intent="summary")
    assert {passage.collection for passage in result.passages} == {"publiczna"}
    assert not any(passage.explanation.boosts for passage in result.passages)


def test_the_shipped_presets_that_were_measured_use_it() -> None:
    assert preset("offline").communities == preset("balanced").communities == 0.3
    assert preset("fast").communities == preset("legal").communities == 0.0
    assert classify(BROAD).intent == "summary"
