"""What every embedder promises."""

import numpy as np
import pytest

from ingestion.embedding.protocol import Embedder

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
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.embed_passages([]).shape == (0, embedder.dimension)

    def test_the_same_text_gives_the_same_vector(self, embedder: Embedder) -> None:
        np.testing.assert_allclose(embedder.embed_query("urlop"), embedder.embed_query("urlop"), atol=1e-6)

    def test_rows_stand_in_the_order_of_the_texts(self, embedder: Embedder) -> None:
        """However the texts were batched and sorted."""
        texts = [f"{'długi ' * (n % 7)}tekst numer {n}" for n in range(40)]
        together = embedder.embed_passages(texts)
        alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
        np.testing.assert_allclose(together, alone, atol=1e-4)

    def test_its_identity_makes_the_same_embedder_again(self, embedder: Embedder) -> None:
        """A space keeps the identity as JSON and gives it to the constructor."""
        import json

        again = json.loads(json.dumps(dict(embedder.identity)))
        assert again == dict(embedder.identity)
        same = self.rebuilt(embedder, **again)
        assert (same.name, same.dimension, dict(same.identity)) == (embedder.name, embedder.dimension, again)

    def rebuilt(self, embedder: Embedder, **identity: object) -> Embedder:
        return type(embedder)(**identity)
