"""Reranking as a reader meets it: through the whole search."""

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from rag.errors import RerankingFailed
from rag.search.context import SearchContext
from rag.search.reasons import exact_reasons
from rag.services.search import search_passages
from rag.types import Passage, SearchResult, TraceEntry
from tests.rag.search.reranking.contract import QUESTION, TEXTS, RerankerContract
from tests.rag.search.reranking.models import build_cross_encoder


class ShortestFirst:
    """A reranker of one's own, named by its dotted path."""

    limit: int | None = 3

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        scored = [replace(passage, score=-float(len(passage.text))) for passage in passages]
        return sorted(scored, key=lambda passage: -passage.score)


class AlwaysLate:
    limit: int | None = None

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        assert deadline <= time.monotonic() + search.preset.rerank_seconds
        raise RerankingFailed("Za późno.")


class TestShortestFirst(RerankerContract):
    @pytest.fixture
    def reranker(self) -> ShortestFirst:
        return ShortestFirst()


@pytest.fixture
def library(kept_texts: None, db: None) -> None:
    """What `write_texts` wrote."""


@pytest.fixture
def find(library: None, settings: Any) -> Any:
    def find(query: str = QUESTION, **parts: Any) -> SearchResult:
        settings.RAG = {**settings.RAG, "presets": {"tried": parts}}
        return search_passages(query=query, viewer=AnonymousUser(), preset="tried")

    return find


def titles(result: SearchResult) -> list[str]:
    return [passage.title for passage in result.passages]


def reranking(result: SearchResult) -> TraceEntry:
    (entry,) = [entry for entry in result.trace if entry.stage == "reranking"]
    return entry


def test_a_reranker_is_named_by_dotted_path(find: Any) -> None:
    name = f"{__name__}.ShortestFirst"
    result = find(reranker=name)
    first = result.passages[:3]
    assert [len(passage.text) for passage in first] == sorted(len(passage.text) for passage in first)
    assert {passage.explanation.reranker for passage in first} == {name}
    assert reranking(result).applied


def test_beyond_the_limit_the_fused_order_goes_on_below(find: Any) -> None:
    fused, limited, own_limit = (
        find(reranker="none"),
        find(reranker="features", rerank_limit=2),
        find(reranker=f"{__name__}.ShortestFirst"),
    )
    for result, limit in ((limited, 2), (own_limit, 3)):
        assert set(titles(result)[:limit]) == set(titles(fused)[:limit])
        assert titles(result)[limit:] == titles(fused)[limit:]
        assert [passage.explanation.reranker_score is None for passage in result.passages[limit:]] == [True] * (
            len(TEXTS) - limit
        )
        assert all(one.score >= other.score for one, other in pairwise(result.passages))


@pytest.mark.parametrize(
    ("reranker", "why"), [("AlwaysLate", "Za późno."), ("Missing", "cannot import")], ids=["late", "misconfigured"]
)
def test_without_a_reranker_the_fused_order_stands_and_the_trace_says_why(find: Any, reranker: str, why: str) -> None:
    fused, result = find(reranker="none"), find(reranker=f"{__name__}.{reranker}")
    assert titles(result) == titles(fused)
    assert not reranking(result).applied
    assert why in reranking(result).reason
    assert {passage.explanation.reranker for passage in result.passages} == {""}


def test_a_clear_winner_is_not_reranked_where_only_doubt_is(find: Any) -> None:
    asked = "dieta za dni delegacji rozliczana po powrocie"
    fused = find(asked, reranker="none")
    spared, always = (find(asked, reranker="features", rerank_when=when) for when in ("uncertain", "always"))
    assert titles(spared) == titles(fused)
    assert not reranking(spared).applied
    assert "0." in reranking(spared).reason or "1." in reranking(spared).reason  # by how much it leads
    assert reranking(always).applied


def test_in_doubt_it_is_reranked(find: Any) -> None:
    spared, always = (find(reranker="features", rerank_when=when) for when in ("uncertain", "always"))
    assert reranking(spared).applied
    assert titles(spared) == titles(always)


@pytest.mark.slow
def test_a_cross_encoder_that_is_there_in_time_gives_chances(find: Any, settings: Any, tmp_path: Path) -> None:
    declared = settings.RAG["components"]["rerankers"]
    assert {"cross_encoder", "diversity", "features", "none"} <= set(declared)
    tiny = {**declared["cross_encoder"], "options": {"model": str(build_cross_encoder(tmp_path))}}
    components = {**settings.RAG["components"], "rerankers": {**declared, "cross_encoder": tiny}}
    settings.RAG = {**settings.RAG, "components": components}
    result = find(reranker="cross_encoder", rerank_seconds=60)
    assert reranking(result).applied
    best = result.passages[0].explanation
    assert best.reranker == "cross_encoder"
    assert 0 < (best.reranker_score or 0) < 1
    assert any("cross_encoder" in sentence for sentence in exact_reasons(best))
