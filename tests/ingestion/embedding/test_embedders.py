"""What every embedder promises, and what each does beyond it."""

from pathlib import Path

import numpy as np
import pytest

from ingestion.embedding.hashing import HashingEmbedder
from ingestion.protocols import Embedder

TEXTS = ["Urlop wypoczynkowy trwa 26 dni.", "Faktura korygująca", "", "🙂 ???"]


class EmbedderContract:
    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError

    def test_rows_are_unit_vectors_of_the_dimension(self, embedder: Embedder) -> None:
        vectors = embedder.embed_passages(TEXTS)
        assert vectors.shape == (len(TEXTS), embedder.dimension)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)

    def test_a_query_is_one_unit_vector(self, embedder: Embedder) -> None:
        vector = embedder.embed_query("ile dni urlopu")
        assert vector.shape == (embedder.dimension,)
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.embed_passages([]).shape == (0, embedder.dimension)

    def test_the_same_text_gives_the_same_vector(self, embedder: Embedder) -> None:
        np.testing.assert_allclose(embedder.embed_query("urlop"), embedder.embed_query("urlop"), atol=1e-6)


class TestHashingEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder(dimension=128)

    def test_inflected_words_are_near(self) -> None:
        embedder = HashingEmbedder()
        query = embedder.embed_query("urlopy pracowników")
        near, far = embedder.embed_passages(["urlop pracownika", "kod źródłowy programu"])
        assert query @ near > 0.9 > 0.3 > query @ far


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_model(tmp_path_factory.mktemp("model"))


class TestSentenceTransformerEmbedder(EmbedderContract):
    """A random two-layer BERT, saved and loaded the way a downloaded model is."""

    @pytest.fixture
    def embedder(self, model: Path) -> Embedder:
        from ingestion.embedding.sentence_transformer import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(str(model), batch_size=2)

    def test_prefixes_change_the_vector(self, model: Path) -> None:
        from ingestion.embedding.sentence_transformer import SentenceTransformerEmbedder

        embedder = SentenceTransformerEmbedder(str(model), query_prefix="query: ", passage_prefix="passage: ")
        same = embedder.embed_query("urlop") @ embedder.embed_passages(["urlop"])[0]
        assert same < 0.9999


def build_model(folder: Path) -> Path:
    """A sentence-transformers model with a vocabulary of letters and random weights."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(7)
    letters = [chr(c) for c in range(33, 127)] + list("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    bert = folder / "bert"
    ids = {token: number for number, token in enumerate(vocabulary)}
    BertTokenizerFast(vocab=ids, do_lower_case=False).save_pretrained(bert)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    BertModel(config).save_pretrained(bert)
    word = Transformer(str(bert), max_seq_length=128)
    SentenceTransformer(modules=[word, Pooling(word.get_embedding_dimension())]).save(str(folder / "model"))
    return folder / "model"
