"""The HTTP embedder against a local server that speaks both protocols."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from ingestion.embedding import endpoint, rate
from ingestion.embedding.http import HTTPEmbedder
from ingestion.embedding.protocol import Embedder
from ingestion.embedding.rate import Patience, retry_after
from ingestion.errors import EmbedderUnavailable, EmbeddingRefused, InvalidEmbedding
from tests.embedding_server import BROKEN, FINE, EmbeddingServer, Reply, vector_of
from tests.ingestion.embedding.contract import EmbedderContract

KEY = "tajny-klucz"


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


def openai(server: EmbeddingServer, **options: Any) -> HTTPEmbedder:
    fast = {"model": "test", "dimension": 8, "backoff": 0.01, "url": f"{server.url}/v1"}
    return HTTPEmbedder(**(fast | options))


def tei(server: EmbeddingServer, **options: Any) -> HTTPEmbedder:
    return openai(server, **({"url": server.url, "dialect": "tei"} | options))


class Clock:
    """In place of the module `time`: it stands still, and goes on by as much as somebody sleeps."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return sum(self.slept)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class HTTPContract(EmbedderContract):
    def rebuilt(self, embedder: Embedder, **identity: Any) -> Embedder:
        return HTTPEmbedder(url="http://127.0.0.1:9", **identity)


class TestOpenAI(HTTPContract):
    @pytest.fixture
    def embedder(self, server: EmbeddingServer) -> Embedder:
        return openai(server, batch_size=3)

    def test_a_request_is_what_the_protocol_says(self, server: EmbeddingServer) -> None:
        openai(server, api_key=KEY).embed_passages(["urlop", "faktura"])
        request = server.requests[0]
        assert request.path == "/v1/embeddings"
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert request.body == {"model": "test", "input": ["urlop", "faktura"], "encoding_format": "float"}

    def test_fewer_dimensions_are_asked_for(self, server: EmbeddingServer) -> None:
        embedder = openai(server, dimension=4, shorten=True)
        assert embedder.embed_passages(["urlop"]).shape == (1, 4)
        assert server.requests[0].body["dimensions"] == 4

    def test_base64_gives_the_same_vectors(self, server: EmbeddingServer) -> None:
        coded = openai(server, encoding_format="base64").embed_query("urlop")
        np.testing.assert_allclose(coded, openai(server).embed_query("urlop"), atol=1e-6)

    def test_vectors_follow_the_index_not_the_order_of_the_reply(self, server: EmbeddingServer) -> None:
        vectors = openai(server).embed_passages(["a", "b", "c"])
        expected = np.stack([vector_of(text, 8) / 3 for text in "abc"])
        np.testing.assert_allclose(vectors, expected, atol=1e-6)


class TestTEI(HTTPContract):
    @pytest.fixture
    def embedder(self, server: EmbeddingServer) -> Embedder:
        return tei(server, batch_size=3)

    def test_a_request_is_what_the_protocol_says(self, server: EmbeddingServer) -> None:
        tei(server).embed_passages(["urlop"])
        assert server.requests[0].path == "/embed"
        assert server.requests[0].body == {"inputs": ["urlop"], "truncate": True}


class TestRequests:
    def test_texts_are_sent_in_batches_by_number_and_by_size(self, server: EmbeddingServer) -> None:
        openai(server, batch_size=3, batch_characters=10, concurrency=1).embed_passages(["aaaa"] * 2 + ["b"] * 7)
        assert [len(request.texts) for request in server.requests] == [3, 3, 3]
        server.requests.clear()
        openai(server, batch_size=9, batch_characters=10, concurrency=1).embed_passages(["aaaa"] * 5 + ["b" * 50])
        assert [len(request.texts) for request in server.requests] == [2, 2, 1, 1]

    def test_no_more_requests_at_once_than_allowed(self) -> None:
        with EmbeddingServer(Reply(wait=0.05)) as server:
            openai(server, batch_size=1, concurrency=3).embed_passages([str(n) for n in range(12)])
            assert server.most_at_once == 3

    def test_prefixes_of_the_family_are_sent(self, server: EmbeddingServer) -> None:
        embedder = openai(server, model="intfloat/e5-base")
        embedder.embed_query("urlop")
        embedder.embed_passages(["urlop"])
        assert [request.texts for request in server.requests] == [["query: urlop"], ["passage: urlop"]]

    def test_an_empty_text_is_never_sent(self, server: EmbeddingServer) -> None:
        """OpenAI refuses the whole request for one."""
        openai(server).embed_passages(["", "urlop"])
        assert all(server.requests[0].texts)

    def test_the_rate_limit_spaces_requests(self, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = Clock()
        monkeypatch.setattr(rate, "time", clock)
        embedder = openai(server, batch_size=1, requests_per_minute=1200, concurrency=1)
        embedder.embed_passages(["a", "b", "c", "d"])
        assert len(server.requests) == 4
        assert clock.slept == pytest.approx([0, 0.05, 0.05, 0.05])

    def test_the_dimension_is_measured_once_where_none_is_given(self, server: EmbeddingServer) -> None:
        embedder = openai(server, dimension=0)
        assert not server.requests
        assert embedder.dimension == embedder.dimension == 8
        assert len(server.requests) == 1

    def test_a_server_that_is_down_does_not_matter_before_it_is_asked(self) -> None:
        embedder = HTTPEmbedder("test", url="http://127.0.0.1:9", dimension=8)
        assert embedder.dimension == 8


class TestFailures:
    @pytest.mark.parametrize(
        "fault", [BROKEN, Reply(status=503), Reply(status=429), Reply(fault="cut"), Reply(wait=1.0)]
    )
    def test_what_passes_is_tried_again(self, fault: Reply) -> None:
        with EmbeddingServer(fault, fault, FINE) as server:
            assert openai(server, timeout=0.3).embed_passages(["urlop"]).shape == (1, 8)
            assert len(server.requests) == 3

    def test_retries_end(self) -> None:
        with EmbeddingServer(BROKEN) as server:
            with pytest.raises(EmbedderUnavailable, match="HTTP 500") as caught:
                openai(server, retries=2).embed_passages(["urlop"])
            assert len(server.requests) == 3
        assert caught.value.retryable
        assert caught.value.remedy

    def test_a_server_that_is_not_there_is_unavailable(self) -> None:
        embedder = HTTPEmbedder("test", url="http://127.0.0.1:9", dimension=8, retries=1, backoff=0.01)
        with pytest.raises(EmbedderUnavailable, match="ConnectError"):
            embedder.embed_query("urlop")

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
    def test_a_refusal_is_not_tried_again(self, status: int) -> None:
        with EmbeddingServer(Reply(status=status)) as server:
            with pytest.raises(EmbeddingRefused, match=f"HTTP {status}") as caught:
                openai(server).embed_passages(["urlop"])
            assert len(server.requests) == 1
        assert not caught.value.retryable

    def test_the_server_says_how_long_to_wait(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = Clock()
        monkeypatch.setattr(endpoint, "time", clock)
        with EmbeddingServer(Reply(status=429, headers={"retry-after": "7"}), FINE) as server:
            openai(server).embed_passages(["urlop"])
            assert len(server.requests) == 2
        assert clock.slept == [7]

    def test_nobody_waits_for_an_hour(self) -> None:
        with EmbeddingServer(Reply(status=429, headers={"retry-after": "3600"})) as server:
            with pytest.raises(EmbedderUnavailable):
                openai(server).embed_passages(["urlop"])
            assert len(server.requests) == 1

    def test_a_question_is_tried_twice_at_most(self) -> None:
        with EmbeddingServer(BROKEN) as server:
            with pytest.raises(EmbedderUnavailable):
                openai(server, retries=50).embed_query("urlop")
            assert len(server.requests) == 2

    @pytest.mark.parametrize("fault", ["not_json", "too_few", "not_finite", "wrong_dimension", "without_data"])
    @pytest.mark.parametrize("dialect", [openai, tei])
    def test_a_wrong_reply_never_becomes_a_vector(self, dialect: Any, fault: Any) -> None:
        with EmbeddingServer(Reply(fault=fault)) as server, pytest.raises(InvalidEmbedding):
            dialect(server).embed_passages(["urlop", "faktura"])

    def test_after_a_failure_the_waiting_requests_are_not_made(self) -> None:
        with EmbeddingServer(Reply(status=400)) as server:
            with pytest.raises(EmbeddingRefused):
                openai(server, batch_size=1, concurrency=1).embed_passages([str(n) for n in range(50)])
            assert len(server.requests) < 10

    def test_no_error_and_no_identity_tells_the_secrets(self) -> None:
        with EmbeddingServer(BROKEN) as server:
            url = server.url.replace("http://", f"http://osoba:{KEY}@") + f"/v1?token={KEY}"
            embedder = openai(server, url=url, api_key=KEY, retries=0)
            with pytest.raises(EmbedderUnavailable) as caught:
                embedder.embed_query("urlop")
        assert KEY not in f"{caught.value} {caught.value!r} {dict(embedder.identity)} {embedder.name}"


class TestConfiguration:
    @pytest.mark.parametrize(
        ("options", "remedy"),
        [
            ({"url": ""}, "EMBEDDING_URL"),
            ({"url": "localhost:8080"}, "EMBEDDING_URL"),
            ({"dialect": "soap"}, "neither openai nor tei"),
            ({"shorten": True}, "EMBEDDING_DIMENSION"),
        ],
    )
    def test_what_is_missing_is_said(self, options: dict[str, Any], remedy: str) -> None:
        with pytest.raises(ImproperlyConfigured, match=remedy):
            HTTPEmbedder(**({"model": "test", "url": "http://localhost"} | options))


class TestPatience:
    def test_waits_double_up_to_the_longest(self) -> None:
        patience = Patience(retries=9, backoff=1.0, longest=10.0)
        for retry, ceiling in enumerate([1, 2, 4, 8, 10, 10], start=1):
            wait = patience.wait_before(retry, asked=None)
            assert wait is not None
            assert ceiling / 2 <= wait <= ceiling

    def test_a_date_is_as_good_as_seconds(self) -> None:
        soon = datetime.now(UTC) + timedelta(seconds=30)
        assert retry_after("30") == 30
        assert retry_after(format_datetime(soon, usegmt=True)) == pytest.approx(30, abs=2)
        assert retry_after("jutro") is None
        assert retry_after(None) is None
