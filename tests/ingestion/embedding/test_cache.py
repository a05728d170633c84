"""Vectors that were computed before."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ingestion.embedding.cache import forget_texts, passage_vectors, purge_embedding_cache, query_vector
from ingestion.embedding.hashing import HashingEmbedder
from ingestion.embedding.http import HTTPEmbedder
from ingestion.models import EmbeddingCacheEntry, EmbeddingSpace
from tests.embedding_server import BROKEN, FINE, EmbeddingServer

TEXTS = ["urlop", "faktura", "urlop", "hasło"]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture
def embedder(server: EmbeddingServer) -> HTTPEmbedder:
    return HTTPEmbedder("test", url=f"{server.url}/v1", dimension=8, retries=0)


@pytest.fixture
def space(db: None) -> EmbeddingSpace:
    return EmbeddingSpace.objects.create(name="test", embedder="http", model="test", dimension=8)


def asked(server: EmbeddingServer) -> list[str]:
    """Every text that reached the server since the last look."""
    texts = [text for request in server.requests for text in request.texts]
    server.requests.clear()
    return texts


def used_days_ago(days: float, texts: Sequence[str]) -> None:
    hashes = [hashlib.sha256(text.encode()).digest() for text in texts]
    EmbeddingCacheEntry.objects.filter(text_hash__in=hashes).update(used=timezone.now() - timedelta(days=days))


class TestPassages:
    def test_each_text_is_embedded_once(
        self, embedder: HTTPEmbedder, server: EmbeddingServer, space: EmbeddingSpace
    ) -> None:
        first = passage_vectors(embedder, TEXTS, space=space)
        assert asked(server) == ["urlop", "faktura", "hasło"]
        again = passage_vectors(embedder, ["hasło", *TEXTS, "nowe"], space=space)
        assert asked(server) == ["nowe"]
        np.testing.assert_array_equal(again[1:5], first)
        np.testing.assert_array_equal(again[0], first[3])
        np.testing.assert_allclose(first, embedder.embed_passages(TEXTS), atol=1e-6)

    def test_spaces_know_nothing_of_each_other(
        self, embedder: HTTPEmbedder, server: EmbeddingServer, space: EmbeddingSpace
    ) -> None:
        other = EmbeddingSpace.objects.create(name="other", embedder="http", model="other", dimension=8)
        passage_vectors(embedder, TEXTS, space=space)
        asked(server)
        passage_vectors(embedder, ["urlop"], space=other)
        assert asked(server) == ["urlop"]
        other.delete()
        assert set(EmbeddingCacheEntry.objects.values_list("space", flat=True)) == {space.pk}

    def test_a_batch_costs_one_query_to_read_and_one_to_write(
        self, embedder: HTTPEmbedder, space: EmbeddingSpace
    ) -> None:
        texts = [f"tekst {n}" for n in range(100)]
        with CaptureQueriesContext(
            connection,
        ) as queries:
            passage_vectors(embedder, texts, space=space)
        assert len(queries) == 2
        with CaptureQueriesContext(connection) as queries:
            passage_vectors(embedder, texts, space=space)
        assert len(queries) == 1

    def test_hashing_is_cheaper_than_a_look_up(self, space: EmbeddingSpace) -> None:
        with CaptureQueriesContext(connection) as queries:
            assert passage_vectors(HashingEmbedder(8), TEXTS, space=space).shape == (4, 8)
        assert len(queries) == 0

    def test_no_texts_need_neither_server_nor_database(self, embedder: HTTPEmbedder, space: EmbeddingSpace) -> None:
        assert passage_vectors(embedder, [], space=space).shape == (0, 8)

    def test_what_was_embedded_before_a_failure_stays(self, space: EmbeddingSpace) -> None:
        """So that trying a long document again costs only the rest."""
        texts = [f"tekst {n}" for n in range(600)]
        with EmbeddingServer(FINE, BROKEN) as server:
            embedder = HTTPEmbedder("test", url=server.url + "/v1", dimension=8, retries=0, batch_size=512)
            with pytest.raises(Exception, match="HTTP 500"):
                passage_vectors(embedder, texts, space=space)
            server.replies = [FINE]
            asked(server)
            passage_vectors(embedder, texts, space=space)
            assert asked(server) == texts[512:]


class TestForgetting:
    @pytest.fixture(autouse=True)
    def filled(self, embedder: HTTPEmbedder, server: EmbeddingServer, space: EmbeddingSpace) -> None:
        passage_vectors(embedder, TEXTS, space=space)
        asked(server)

    def test_what_nobody_used_for_thirty_days_goes(
        self, embedder: HTTPEmbedder, server: EmbeddingServer, space: EmbeddingSpace
    ) -> None:
        used_days_ago(31, ["urlop"])
        used_days_ago(29, ["faktura"])
        assert purge_embedding_cache() == 1
        passage_vectors(embedder, TEXTS, space=space)
        assert asked(server) == ["urlop"]

    def test_reading_counts_as_use(self, embedder: HTTPEmbedder, space: EmbeddingSpace) -> None:
        used_days_ago(29, TEXTS)
        passage_vectors(embedder, ["urlop"], space=space)
        used = EmbeddingCacheEntry.objects.filter(used__gt=timezone.now() - timedelta(hours=1))
        assert [bytes(entry.text_hash) for entry in used] == [hashlib.sha256(b"urlop").digest()]

    def test_texts_can_be_forgotten_at_once(
        self, embedder: HTTPEmbedder, server: EmbeddingServer, space: EmbeddingSpace
    ) -> None:
        assert forget_texts(["urlop", "nigdy nie było"], space=space) == 1
        passage_vectors(embedder, TEXTS, space=space)
        assert asked(server) == ["urlop"]


class TestQuestions:
    def test_a_question_asked_again_comes_from_memory(self, embedder: HTTPEmbedder, server: EmbeddingServer) -> None:
        first, second = query_vector(embedder, "ile dni"), query_vector(embedder, "ile dni")
        assert asked(server) == ["ile dni"]
        np.testing.assert_array_equal(first, second)

    def test_nobody_can_spoil_a_remembered_vector(self, embedder: HTTPEmbedder) -> None:
        with pytest.raises(ValueError, match="read-only"):
            query_vector(embedder, "ile dni")[0] = 7.0

    def test_a_failure_is_not_remembered(self, embedder: HTTPEmbedder, server: EmbeddingServer) -> None:
        server.replies = [BROKEN, BROKEN, FINE]
        with pytest.raises(Exception, match="HTTP 500"):
            query_vector(embedder, "ile dni")
        assert query_vector(embedder, "ile dni").shape == (8,)

    def test_embedders_do_not_share_vectors(self, embedder: HTTPEmbedder, server: EmbeddingServer) -> None:
        other = HTTPEmbedder("other", url=server.url + "/v1", dimension=8)
        query_vector(embedder, "ile dni")
        query_vector(other, "ile dni")
        assert len(asked(server)) == 2
