"""What every reranker promises; each implementation inherits the class and gives a `reranker`."""

import time
from dataclasses import replace
from itertools import pairwise

import pytest

from ingestion.models import Collection
from knowledgetree.conf import rag_settings
from rag.presets import preset
from rag.search.context import SearchContext
from rag.search.reranking.protocol import Reranker
from rag.search.retriever import HybridRetriever
from rag.types import Filters, Passage
from tests.conftest import index_text, make_public

QUESTION = "Ile dni urlopu wypoczynkowego przysługuje pracownikowi?"
TEXTS = {
    "Wniosek": "Urlopu wypoczynkowego udziela się na pisemny wniosek, a pracownikowi mówi o tym kadra.",
    "Wymiar": "Pracownikowi przysługuje 26 dni urlopu wypoczynkowego.",
    "Wymiar (odpis)": "Pracownikowi przysługuje 26 dni urlopu wypoczynkowego w roku.",
    "Delegacja": "Za dni delegacji pracownikowi przysługuje dieta. " + "Rozlicza się ją po powrocie. " * 9,
}
Candidates = tuple[SearchContext, list[Passage]]


def write_texts() -> None:
    for title, text in TEXTS.items():
        index_text(make_public(), text, name=f"{title}.txt", title=title)


class RerankerContract:
    """Subclasses also see `candidates`: a search with its passages in fused order."""

    @pytest.fixture
    def reranker(self) -> Reranker:
        raise NotImplementedError

    @pytest.fixture
    def texts(self, kept_texts: None, db: None) -> None:
        """Written once a module; one that keeps other rows writes them itself: `write_texts`."""

    @pytest.fixture
    def candidates(self, texts: None, public: Collection) -> Candidates:
        settings = rag_settings()
        retriever = HybridRetriever(preset=preset("offline"), lexical=settings.lexical, llm=settings.llm)
        search, passages = retriever.candidates(QUESTION, collections=[public], filters=Filters())
        assert len(passages) == len(TEXTS)
        return search, passages

    def test_all_passages_come_back_once_with_nothing_changed_but_their_scores(
        self, reranker: Reranker, candidates: Candidates
    ) -> None:
        search, passages = candidates
        ranked = reranker.rerank(search, passages, deadline=time.monotonic() + 60)
        unscored = {passage.chunk_id: replace(passage, score=0.0) for passage in ranked}
        assert len(ranked) == len(passages)
        assert unscored == {passage.chunk_id: replace(passage, score=0.0) for passage in passages}

    def test_the_best_comes_first(self, reranker: Reranker, candidates: Candidates) -> None:
        search, passages = candidates
        ranked = reranker.rerank(search, passages, deadline=time.monotonic() + 60)
        assert all(one.score >= other.score for one, other in pairwise(ranked))

    def test_the_same_search_gives_the_same_order(self, reranker: Reranker, candidates: Candidates) -> None:
        search, passages = candidates
        first, second = (reranker.rerank(search, passages, deadline=time.monotonic() + 60) for _ in range(2))
        assert [passage.chunk_id for passage in first] == [passage.chunk_id for passage in second]

    def test_one_passage_and_none_are_no_trouble(self, reranker: Reranker, candidates: Candidates) -> None:
        search, passages = candidates
        (only,) = reranker.rerank(search, passages[:1], deadline=time.monotonic() + 60)
        assert only.chunk_id == passages[0].chunk_id
        assert reranker.rerank(search, [], deadline=time.monotonic() + 60) == []

    def test_its_limit_is_a_number_of_passages(self, reranker: Reranker) -> None:
        assert reranker.limit is None or reranker.limit > 0
