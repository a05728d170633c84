import json
import time
from dataclasses import replace

import pytest

from rag.search.reranking.features import FEATURES, SHIPPED, FeaturesReranker, passage_features
from rag.search.reranking.none import NoReranker
from rag.search.reranking.protocol import Reranker
from tests.rag.search.reranking.contract import Candidates, RerankerContract


class TestFeaturesReranker(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return FeaturesReranker()

    def test_a_score_is_the_weighted_sum_of_the_signals(self, candidates: Candidates) -> None:
        search, passages = candidates
        ranked = FeaturesReranker({"early": 2.0, "kinship": -1.0}).rerank(search, passages, deadline=0.0)
        signals = search.words.signals(ranked)
        assert [passage.score for passage in ranked] == [2.0 * row["early"] - row["kinship"] for row in signals]

    def test_the_passage_that_begins_with_the_answer_comes_first(self, candidates: Candidates) -> None:
        search, passages = candidates
        ranked = FeaturesReranker().rerank(search, passages, deadline=time.monotonic() + 60)
        assert ranked[0].title.startswith("Wymiar")

    def test_every_shipped_weight_is_that_of_a_signal(self) -> None:
        assert set(json.loads(SHIPPED.read_text(encoding="utf-8"))["weights"]) <= set(FEATURES)

    def test_nearness_counts_where_the_space_compares_meanings(self, candidates: Candidates) -> None:
        search, passages = candidates
        near = [0.1 * place for place in range(len(passages))]
        passages = [
            replace(passage, explanation=replace(passage.explanation, similarity=similarity))
            for passage, similarity in zip(passages, near, strict=True)
        ]
        assert [row["meaning"] for row in passage_features(search, passages)] == near
        assert search.space is not None
        search.space.fusion = {key: value for key, value in search.space.fusion.items() if key != "meaning"}
        assert {row["meaning"] for row in passage_features(search, passages)} == {0.0}


class TestNoReranker(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return NoReranker()

    def test_the_fused_order_and_its_scores_stay(self, reranker: Reranker, candidates: Candidates) -> None:
        search, passages = candidates
        assert reranker.rerank(search, passages, deadline=0.0) == passages
