import time

import pytest

from ingestion.models import ChunkEmbedding
from rag.search.reranking.diversity import DiversityReranker
from rag.search.reranking.protocol import Reranker
from tests.rag.search.reranking.contract import Candidates, RerankerContract


def titles(reranker: Reranker, candidates: Candidates) -> list[str]:
    search, passages = candidates
    return [passage.title for passage in reranker.rerank(search, passages, deadline=time.monotonic() + 60)]


class TestDiversityReranker(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return DiversityReranker()

    def test_without_regard_to_similarity_the_first_order_stays(self, candidates: Candidates) -> None:
        order = titles(DiversityReranker(relevance=1.0, first="none"), candidates)
        assert order == [passage.title for passage in candidates[1]]

    @pytest.mark.parametrize("vectors", [True, False], ids=["by vectors", "by words"])
    def test_what_was_said_already_goes_down(self, candidates: Candidates, vectors: bool) -> None:
        if not vectors:
            ChunkEmbedding.objects.all().delete()
        by_relevance = titles(DiversityReranker(relevance=1.0), candidates)
        assert {"Wymiar", "Wymiar (odpis)"} == set(by_relevance[:2])
        diverse = titles(DiversityReranker(relevance=0.1), candidates)
        assert diverse[0] == by_relevance[0]
        assert diverse[-1] == by_relevance[1]

    def test_the_next_passage_is_the_one_of_the_greatest_marginal_relevance(self, candidates: Candidates) -> None:
        import numpy as np

        search, passages = candidates
        ranked = DiversityReranker(relevance=0.6, first="none").rerank(search, passages, deadline=0.0)
        stored = dict(ChunkEmbedding.objects.filter(part=0).values_list("chunk_id", "embedding"))
        low, high = passages[-1].score, passages[0].score
        relevance = {p.chunk_id: (p.score - low) / (high - low) for p in passages}
        for place, passage in enumerate(ranked[1:], start=1):
            nearest = max(float(np.dot(stored[passage.chunk_id], stored[other.chunk_id])) for other in ranked[:place])
            expected = 0.6 * relevance[passage.chunk_id] - 0.4 * max(0.0, nearest)
            assert passage.score == pytest.approx(expected, abs=1e-5)

    def test_it_starts_from_the_order_of_another_reranker(self, candidates: Candidates) -> None:
        from rag.search.reranking.features import FeaturesReranker

        order = titles(DiversityReranker(relevance=1.0, first="features"), candidates)
        assert order == titles(FeaturesReranker(), candidates)

    def test_those_that_take_no_part_stay_below_in_their_order(self, candidates: Candidates) -> None:
        order = titles(DiversityReranker(relevance=0.0, among=2, first="none"), candidates)
        assert order[2:] == [passage.title for passage in candidates[1][2:]]

    def test_the_vectors_are_read_in_one_query(
        self, candidates: Candidates, django_assert_num_queries: pytest.FixtureRequest
    ) -> None:
        search, passages = candidates
        with django_assert_num_queries(1):  # type: ignore[operator]
            DiversityReranker(first="none").rerank(search, passages, deadline=0.0)
