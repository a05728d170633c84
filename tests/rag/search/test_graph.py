"""The third leg: passages by what they name."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from ingestion.models import Collection
from ingestion.services.corpora import index_corpus, read_corpus
from knowledgetree.conf import LexicalSettings
from rag.presets import Preset
from rag.search.reasons import exact_reasons
from rag.search.retrieval.filters import condition
from rag.search.retrieval.graph import GraphRetriever, personalised_pagerank
from rag.search.retrieval.lexical import corpus_statistics
from rag.search.retrieval.ranking import Hit
from rag.search.retriever import HybridRetriever
from rag.types import Filters, SearchResult
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

OFFICE = Path(__file__).parents[3] / "fixtures/przeskoki"
WITHOUT = Preset(name="bez", reranker="none")
WITH = replace(WITHOUT, name="z", graph_weight=0.5)


def walk(question: str, *collections: Collection, filters: Filters = Filters()) -> list[Hit]:  # noqa: B008
    return GraphRetriever().retrieve(
        question,
        collections=collections,
        statistics=corpus_statistics([collection.pk for collection in collections]),
        condition=condition(filters),
        limit=20,
    )


def search(question: str, preset: Preset, *collections: Collection) -> SearchResult:
    retriever = HybridRetriever(preset=preset, lexical=LexicalSettings())
    return retriever.retrieve(question, collections=collections, filters=Filters(), top_k=10)


@pytest.fixture(scope="module")
def kept_linked(kept_rows: Kept) -> dict[str, int]:
    """Chunk keys by letter: a names Kowalski and the unit, b the unit and its place, c nothing of them."""
    with kept_rows.writing():
        texts = {
            "a": "Sprawę prowadzi Jan Kowalski, Biuro Obsługi Klienta.",
            "b": "Lokal przy Zielonej zajmuje Biuro Obsługi Klienta.",
            "c": "Sklep prowadzi Anna Nowak w Radomiu.",
        }
        return {
            name: index_text(make_public(), text, name=f"{name}.txt", title=name).chunks.get().pk
            for name, text in texts.items()
        }


@pytest.fixture
def linked(kept_linked: dict[str, int], db: None) -> dict[str, int]:
    return deepcopy(kept_linked)


@pytest.mark.parametrize("question", ["Gdzie pracuje Jan Kowalski?", "sprawa janem kowalskim", "Janowi Kowalskiemu"])
def test_a_shared_name_leads_to_a_passage_without_the_questions(
    question: str, public: Collection, linked: dict[str, int]
) -> None:
    direct, shared = walk(question, public)
    assert (direct.chunk_id, direct.path) == (linked["a"], ("Jan Kowalski",))
    assert (shared.chunk_id, shared.path) == (linked["b"], ("Jan Kowalski", "Biuro Obsługi Klienta"))
    assert direct.score > shared.score > 0


@pytest.mark.parametrize("question", ["Ile trwa urlop?", "kto to jest Zenon Bezimienny", ""])
def test_a_question_that_names_nothing_known_changes_no_search(
    question: str, public: Collection, linked: dict[str, int]
) -> None:
    assert walk(question, public) == []
    plain, with_graph = (search(question, preset, public) for preset in (WITHOUT, WITH))
    assert [(p.chunk_id, p.score) for p in plain.passages] == [(p.chunk_id, p.score) for p in with_graph.passages]
    assert ("graph", False) in [(entry.stage, entry.applied) for entry in with_graph.trace]


def test_what_a_viewer_may_not_see_moves_no_score_and_shows_in_no_path(
    public: Collection, restricted: Collection, linked: dict[str, int], index: AddDocument
) -> None:
    before = walk("Jan Kowalski", public)
    secret = index(restricted, "JAN KOWALSKI i Projekt Feniks: Biuro Obsługi Klienta, Anna Nowak.", title="Tajne")
    for number in range(5):
        index(restricted, "Jan Kowalski, Projekt Feniks, Radom.", name=f"{number}.txt", title=f"Tajne {number}")
    assert walk("Jan Kowalski", public) == before
    assert walk("Projekt Feniks", public) == []
    both = walk("Projekt Feniks", public, restricted)
    assert secret.chunks.get().pk in {hit.chunk_id for hit in both}
    assert linked["a"] in {hit.chunk_id for hit in both}  # names join collections for those who may see them


def test_filters_hold_on_the_way_too(public: Collection, index: AddDocument) -> None:
    index(public, "Sprawę prowadzi Jan Kowalski, Biuro Obsługi Klienta.", name="a.txt", title="a", category="kadry")
    index(public, "Lokal zajmuje Biuro Obsługi Klienta.", name="b.txt", title="b", category="lokale")
    assert len(walk("Jan Kowalski", public)) == 2
    assert len(walk("Jan Kowalski", public, filters=Filters(categories=("kadry",)))) == 1
    assert walk("Jan Kowalski", public, filters=Filters(categories=("lokale",))) == []


def test_the_explanation_has_score_rank_and_path(public: Collection, linked: dict[str, int]) -> None:
    found = {passage.chunk_id: passage.explanation for passage in search("Jan Kowalski", WITH, public).passages}
    explanation = found[linked["b"]]
    assert explanation.graph_rank == 2
    assert explanation.graph_score is not None
    assert 0 < explanation.graph_score < 1
    assert any("Jan Kowalski → Biuro Obsługi Klienta" in sentence for sentence in exact_reasons(explanation))


def test_the_leg_is_off_where_the_preset_gives_it_no_weight(public: Collection, linked: dict[str, int]) -> None:
    result = search("Jan Kowalski", WITHOUT, public)
    assert [passage.explanation.graph_rank for passage in result.passages] == [None] * len(result.passages)
    assert linked["b"] not in {p.chunk_id for p in result.passages if p.explanation.lexical_rank}


def test_a_name_that_more_chunks_have_than_are_read_starts_no_walk(
    public: Collection, linked: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert walk("Biuro Obsługi Klienta", public)
    monkeypatch.setattr("rag.search.retrieval.neighbourhood._POOL", 1)
    assert walk("Biuro Obsługi Klienta", public) == []
    assert walk("Jan Kowalski", public)


def test_the_lift_for_what_names_lead_to_outlives_a_reranker_that_compares_words(
    public: Collection, linked: dict[str, int], searching: Callable[..., SearchResult]
) -> None:
    def place(**parts: object) -> int:
        result = searching("Kto prowadzi: Jan Kowalski?", reranker="features", graph_weight=0.2, **parts)
        return [passage.chunk_id for passage in result.passages].index(linked["b"])

    assert place(boosts={"linked": 1.0}) < place()


@pytest.fixture
def office(public: Collection) -> Collection:
    """The sixty documents of an office that does not exist; questions about it need two of them each."""
    index_corpus(collection=public, entries=list(read_corpus(OFFICE / "corpus.jsonl")))
    return public


@pytest.mark.slow
def test_of_questions_that_need_two_documents_the_graph_answers_more(office: Collection) -> None:
    lines = [json.loads(line) for line in (OFFICE / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    bare = [line for line in lines if "„" not in line["text"]]  # what is quoted must stand in every passage

    def whole(preset: Preset) -> int:
        found = [{p.uri for p in search(line["text"], preset, office).passages} for line in bare]
        return sum({*line["hops"]} <= uris for line, uris in zip(bare, found, strict=True))

    assert whole(replace(WITH, graph_weight=0.3)) >= whole(WITHOUT) + 4


def test_pagerank_is_the_fixed_point_of_the_walk() -> None:
    links = csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]))
    entities, chunks = personalised_pagerank(links, np.array([1.0, 0.0]), damping=0.5)
    dense = links.toarray()
    forth, back = dense / dense.sum(axis=1, keepdims=True), (dense / dense.sum(axis=0)).T
    expected = 0.5 * np.linalg.inv(np.eye(2) - 0.5 * (forth @ back).T) @ np.array([1.0, 0.0])
    assert entities == pytest.approx(expected, abs=1e-5)
    assert chunks == pytest.approx(expected @ forth, abs=1e-5)
    assert chunks.sum() == pytest.approx(1.0)
