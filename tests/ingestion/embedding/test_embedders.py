"""The embedders that work in this process."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from ingestion.embedding.hashing import HashingEmbedder
from ingestion.embedding.protocol import Embedder
from ingestion.embedding.sentence_transformer import SentenceTransformerEmbedder
from ingestion.embedding.word_vectors import WordVectorEmbedder
from ingestion.errors import InvalidEmbedding
from ingestion.text.meaning import vocabulary as shipped
from tests.ingestion.embedding.contract import EmbedderContract
from tests.ingestion.embedding.models import build_model


class TestHashingEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder(dimension=128)

    def test_inflected_words_are_near(self) -> None:
        embedder = HashingEmbedder()
        query = embedder.embed_query("urlopy pracowników")
        near, far = embedder.embed_passages(["urlop pracownika", "kod źródłowy programu"])
        assert query @ near > 0.9 > 0.3 > query @ far


class TestWordVectorEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return WordVectorEmbedder()

    @pytest.mark.parametrize(
        ("question", "answer", "other"),
        [
            ("Gdzie oddam starą wersalkę?", "Odpady wielkogabarytowe przyjmuje PSZOK.", "Faktury opłaca się w kasie."),
            ("Sąsiad puszcza muzykę po nocach", "Cisza nocna trwa od 22 do 6.", "Wniosek składa się w sekretariacie."),
            (
                "Zalało mi piwnicę",
                "Szkody po wycieku wody zgłasza się administracji.",
                "Karta parkingowa kosztuje 30 zł.",
            ),
        ],
    )
    def test_other_words_for_the_same_are_near(self, question: str, answer: str, other: str) -> None:
        embedder = WordVectorEmbedder()
        near, far = embedder.embed_passages([answer, other]) @ embedder.embed_query(question)
        assert near > far + 0.1

    def test_words_that_no_vocabulary_has_are_told_apart_by_their_letters(self) -> None:
        embedder = WordVectorEmbedder()
        query = embedder.embed_query("Zorblaxowi")
        near, far = embedder.embed_passages(["Zorblax", "Kwyndrel"])
        assert query @ near > 0.4 > query @ far

    def test_its_name_changes_with_the_vocabulary(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        before = WordVectorEmbedder().name
        monkeypatch.setattr(shipped, "_FOLDER", tmp_path)
        (tmp_path / "words.txt").write_text("# Słowa.\npies\t5.0\nkot\t6.0\n", encoding="utf-8")
        np.save(tmp_path / "vectors.npy", np.array([[127, 0], [0, 127]], np.int8))
        np.save(tmp_path / "neighbours.npy", np.array([[[1], [0]], [[0], [0]]], np.uint16))
        shipped.vocabulary.cache_clear()
        try:
            embedder = WordVectorEmbedder()
        finally:
            shipped.vocabulary.cache_clear()
        assert embedder.name != before
        np.testing.assert_allclose(embedder.embed_query("psy"), [1, 0], atol=1e-6)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_model(tmp_path_factory.mktemp("model"))


@pytest.mark.slow
class TestSentenceTransformerEmbedder(EmbedderContract):
    """A random two-layer BERT, saved and loaded the way a downloaded model is."""

    @pytest.fixture
    def embedder(self, model: Path) -> Embedder:
        return SentenceTransformerEmbedder(str(model), batch_size=2)

    def test_prefixes_change_the_vector(self, model: Path) -> None:
        embedder = SentenceTransformerEmbedder(str(model), query_prefix="query: ", passage_prefix="passage: ")
        same = embedder.embed_query("urlop") @ embedder.embed_passages(["urlop"])[0]
        assert same < 0.9999

    def test_prompts_that_the_model_ships_are_its_prefixes(self, tmp_path: Path) -> None:
        folder = build_model(tmp_path, prompts={"query": "pyt: ", "document": "dok: "})
        identity = SentenceTransformerEmbedder(str(folder)).identity
        assert (identity["query_prefix"], identity["passage_prefix"]) == ("pyt: ", "dok: ")

    def test_a_default_prompt_of_the_model_does_not_come_on_top(self, tmp_path: Path) -> None:
        folder = build_model(tmp_path, prompts={"query": "pyt: "}, default_prompt_name="query")
        embedder = SentenceTransformerEmbedder(str(folder))
        bare = SentenceTransformerEmbedder(str(folder), query_prefix="")
        np.testing.assert_allclose(embedder.embed_query("urlop"), bare.embed_query("pyt: urlop"), atol=1e-6)

    def test_text_beyond_max_seq_length_does_not_count(self, model: Path) -> None:
        embedder = SentenceTransformerEmbedder(str(model), max_seq_length=8)
        short, long = embedder.embed_passages(["abcdefgh", "abcdefgh i jeszcze wiele więcej"])
        np.testing.assert_allclose(short, long, atol=1e-5)

    def test_dtype_and_device_are_used(self, model: Path) -> None:
        exact = SentenceTransformerEmbedder(str(model), device="cpu", dtype="float32").embed_query("urlop")
        coarse = SentenceTransformerEmbedder(str(model), device="cpu", dtype="bfloat16").embed_query("urlop")
        assert exact @ coarse > 0.99
        assert not np.allclose(exact, coarse, atol=1e-6)

    def test_a_device_that_is_not_there_is_said(self, model: Path) -> None:
        with pytest.raises(ImproperlyConfigured, match="cannot be loaded"):
            SentenceTransformerEmbedder(str(model), device="cuda:77")

    def test_the_first_numbers_of_a_vector_may_do(self, model: Path) -> None:
        """Cut, then brought to length 1 again."""
        whole = SentenceTransformerEmbedder(str(model)).embed_query("urlop")[:16]
        short = SentenceTransformerEmbedder(str(model), truncate_dim=16)
        assert short.dimension == 16
        np.testing.assert_allclose(short.embed_query("urlop"), whole / np.linalg.norm(whole), atol=1e-6)

    @pytest.mark.parametrize(("now", "then"), [(0, 16), (16, 0), (8, 16)])
    def test_a_space_keeps_its_dimension_when_the_options_change(self, model: Path, now: int, then: int) -> None:
        built = SentenceTransformerEmbedder(str(model), options={"truncate_dim": then or None})
        again = SentenceTransformerEmbedder(**built.identity, options={"truncate_dim": now or None})
        assert (again.dimension, again.identity) == (built.dimension, built.identity)

    def test_a_space_and_the_settings_share_one_model_in_memory(self, model: Path) -> None:
        configured = SentenceTransformerEmbedder(str(model), max_seq_length=0, options={})
        assert SentenceTransformerEmbedder(**configured.identity)._encoder is configured._encoder

    def test_the_batch_size_is_measured_and_remembered(self, model: Path) -> None:
        embedder = SentenceTransformerEmbedder(str(model), batch_size=0, max_seq_length=64)
        texts = [f"tekst numer {n} o urlopie" for n in range(300)]
        embedder.embed_passages(texts)
        measured = embedder.batch_size
        assert embedder._encoder._batch.measured
        embedder.embed_passages(texts)
        assert embedder.batch_size == measured

    def test_a_model_in_disorder_puts_nothing_into_the_index(self, tmp_path: Path) -> None:
        embedder = SentenceTransformerEmbedder(str(build_model(tmp_path, broken=True)))
        with pytest.raises(InvalidEmbedding, match=r"zeros, infinite or missing|same zera"):
            embedder.embed_passages(["urlop"])

    def test_questions_of_many_threads_get_their_own_vectors(self, embedder: Embedder) -> None:
        texts = [f"pytanie {n} " * (1 + n % 5) for n in range(24)]
        expected = [embedder.embed_query(text) for text in texts]
        found: dict[int, Any] = {}
        threads = [
            threading.Thread(target=lambda n=n: found.update({n: embedder.embed_query(texts[n])}))
            for n in range(len(texts))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == len(texts)
        np.testing.assert_allclose([found[n] for n in range(len(texts))], expected, atol=1e-5)

    def test_a_question_does_not_wait_for_all_passages(self, embedder: Embedder) -> None:
        passages = ["wypoczynek " * 10] * 600
        began, finished = threading.Event(), threading.Event()

        def embed() -> None:
            began.set()
            embedder.embed_passages(passages)
            finished.set()

        thread = threading.Thread(target=embed)
        thread.start()
        began.wait()
        for _ in range(3):
            embedder.embed_query("urlop")
        in_between = not finished.is_set()
        thread.join()
        assert in_between


class TestWhatIsMissingIsSaid:
    def test_a_model_that_is_nowhere(self, tmp_path: Path) -> None:
        with pytest.raises(ImproperlyConfigured, match="EMBEDDING_MODEL is a name on the model hub or a folder"):
            SentenceTransformerEmbedder(str(tmp_path / "nie" / "ma"))

    def test_an_unknown_backend(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="none of torch, onnx, openvino"):
            SentenceTransformerEmbedder("model", backend="tensorflow")

    def test_an_unknown_dtype(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="none of auto, bfloat16, float16, float32"):
            SentenceTransformerEmbedder("model", dtype="int4")
