import importlib.util
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from ingestion.text.index_format.chunk_words import searched_text
from rag.errors import RerankingFailed
from rag.search.reranking.cross_encoder import CrossEncoderReranker
from rag.search.reranking.protocol import Reranker
from tests.rag.search.reranking.contract import Candidates, RerankerContract
from tests.rag.search.reranking.models import build_cross_encoder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_cross_encoder(tmp_path_factory.mktemp("sigmoid"))


@pytest.fixture(scope="module")
def logit_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same weights; its configuration says that scores are logits, as the default model's does."""
    return build_cross_encoder(tmp_path_factory.mktemp("identity"), activation="Identity")


@pytest.mark.slow
class TestCrossEncoderReranker(RerankerContract):
    """A random two-layer BERT, saved and loaded the way a downloaded model is."""

    @pytest.fixture
    def reranker(self, model: Path) -> Reranker:
        return CrossEncoderReranker(str(model), batch_size=2)

    def test_a_score_is_the_sigmoid_of_the_logit_whatever_the_model_is_configured_to_give(
        self, model: Path, logit_model: Path, candidates: Candidates
    ) -> None:
        from sentence_transformers import CrossEncoder

        search, passages = candidates
        given = CrossEncoder(str(logit_model)).predict([("a", "b")])
        assert given != CrossEncoder(str(model)).predict([("a", "b")])
        probabilities = CrossEncoder(str(model)).predict(
            [(search.query.text, searched_text(title=p.title, headings=p.heading_path, text=p.text)) for p in passages]
        )
        for folder in (model, logit_model):
            ranked = CrossEncoderReranker(str(folder)).rerank(search, passages, deadline=time.monotonic() + 60)
            scores = {passage.chunk_id: passage.score for passage in ranked}
            assert [scores[passage.chunk_id] for passage in passages] == pytest.approx(list(probabilities), abs=1e-4)

    def test_scores_do_not_depend_on_the_batches(self, model: Path, candidates: Candidates) -> None:
        search, passages = candidates
        one, all_at_once = (
            CrossEncoderReranker(str(model), batch_size=size).rerank(search, passages, deadline=time.monotonic() + 60)
            for size in (1, 32)
        )
        assert [p.chunk_id for p in one] == [p.chunk_id for p in all_at_once]
        assert [p.score for p in one] == pytest.approx([p.score for p in all_at_once], abs=1e-4)

    def test_what_is_longer_than_the_maximum_is_cut(self, model: Path, candidates: Candidates) -> None:
        search, passages = candidates
        scores = {}
        for length in (None, 8):  # eight tokens hold no more than the first letters of either
            reranker = CrossEncoderReranker(str(model), max_length=length, options={"device": "cpu"})
            ranked = reranker.rerank(search, passages, deadline=time.monotonic() + 60)
            scores[length] = {passage.title: passage.score for passage in ranked}
        assert scores[8]["Wymiar"] == pytest.approx(scores[8]["Wymiar (odpis)"], abs=1e-5)
        assert scores[None]["Wymiar"] != pytest.approx(scores[None]["Wymiar (odpis)"], abs=1e-5)

    def test_threads_share_one_model(self, reranker: Reranker, candidates: Candidates) -> None:
        search, passages = candidates

        def ranked(_: int) -> list[int]:
            return [p.chunk_id for p in reranker.rerank(search, passages, deadline=time.monotonic() + 60)]

        expected = ranked(0)
        with ThreadPoolExecutor(8) as threads:
            assert all(order == expected for order in threads.map(ranked, range(24)))

    def test_a_passed_deadline_fails_at_once_and_does_no_harm(self, reranker: Reranker, candidates: Candidates) -> None:
        search, passages = candidates
        assert reranker.rerank(search, passages, deadline=time.monotonic() + 60)
        with pytest.raises(RerankingFailed):
            reranker.rerank(search, passages, deadline=time.monotonic() - 1)
        assert reranker.rerank(search, passages, deadline=time.monotonic() + 60)

    def test_scores_that_are_no_numbers_order_nothing(self, candidates: Candidates, tmp_path: Path) -> None:
        search, passages = candidates
        broken = CrossEncoderReranker(str(build_cross_encoder(tmp_path, broken=True)))
        with pytest.raises(RerankingFailed):
            broken.rerank(search, passages, deadline=time.monotonic() + 60)


@pytest.mark.slow
def test_a_model_of_several_scores_is_no_reranker(tmp_path: Path) -> None:
    from rag.search.reranking.cross_encoder import _loaded

    with pytest.raises(ValueError, match="3 scores"):
        _loaded(str(build_cross_encoder(tmp_path, labels=3, activation="Identity")), {})


@pytest.mark.slow
def test_making_it_imports_no_model(model: Path) -> None:
    before = threading.active_count()
    CrossEncoderReranker("no/such-model")
    assert threading.active_count() == before


def test_without_the_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def find_spec(name: str, *rest: Any) -> Any:
        return None if name == "sentence_transformers" else find(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    with pytest.raises(ImproperlyConfigured, match=r"knowledgetree\[neural\]"):
        CrossEncoderReranker("any/model")
