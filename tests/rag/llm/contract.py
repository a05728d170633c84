"""What every client of language models promises (`rag.llm.protocol`): the real SDK against a local server.

A subclass names its API: `api = MESSAGES`.
"""

import socket
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.utils import translation

from rag.errors import LLMError, LLMRejected, LLMUnavailable
from rag.llm.chat_completions.chat_model import ChatCompletionsModel
from rag.llm.messages.messages_model import MessagesModel
from rag.llm.protocol import LanguageModel
from rag.types import Tokens
from tests.chat_completions_server import ChatCompletionsServer
from tests.messages_server import BROKEN, OVERLOADED, RATE_LIMITED, MessagesServer, Turn
from tests.model_server import ModelServer

REQUEST = {"system": "Zasady", "prompt": "Pytanie", "max_tokens": 50}


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """An API of language models: a local server that speaks it, and our client."""

    server: type[ModelServer[Any]]
    client: Callable[..., LanguageModel]
    path: str

    def model(self, server: ModelServer[Any], **options: Any) -> LanguageModel:
        return self.client(**{"api_key": "klucz", "base_url": server.url, "model": "test-model", **options})


MESSAGES = Api(server=MessagesServer, client=MessagesModel, path="/v1/messages")
CHAT_COMPLETIONS = Api(server=ChatCompletionsServer, client=ChatCompletionsModel, path="/v1/chat/completions")


class StreamContract:
    api: Api

    def model(self, server: ModelServer[Any], **options: Any) -> LanguageModel:
        return self.api.model(server, **{"timeout": 5.0, "max_retries": 0, **options})

    def failure(self, server: ModelServer[Any], **options: Any) -> LLMError:
        with pytest.raises(LLMError) as caught:
            list(self.model(server, **options).stream(**REQUEST))
        return caught.value

    def test_pieces_arrive_as_the_model_wrote_them(self):
        turn = Turn(pieces=("Zażółć ", "gęślą", " [1]."), input_tokens=12, output_tokens=7)
        with self.api.server(turn) as server:
            reply = self.model(server).stream(**REQUEST)
            assert list(reply) == ["Zażółć ", "gęślą", " [1]."]
            assert (reply.usage, reply.truncated) == (Tokens(input=12, output=7), False)

    def test_the_request_carries_key_model_prompt_and_limit(self):
        with self.api.server() as server:
            list(self.model(server, extra_body={"temperature": 0.2}).stream(**REQUEST))
        (request,) = server.requests
        assert request.path == self.api.path
        assert request.headers["authorization"] == "Bearer klucz"
        assert (request.system, request.prompt) == ("Zasady", "Pytanie")
        body = request.body
        assert (body["model"], body["max_tokens"], body["stream"]) == ("test-model", 50, True)
        assert body["temperature"] == 0.2

    @pytest.mark.parametrize("company", ["ANTHROPIC", "OPENAI"])
    def test_the_environment_does_not_redirect_the_client(self, monkeypatch, company):
        with self.api.server() as server, self.api.server() as other:
            monkeypatch.setenv(f"{company}_BASE_URL", other.url)
            monkeypatch.setenv(f"{company}_API_KEY", "inny")
            monkeypatch.setenv("OPENAI_ORG_ID", "inna")
            list(self.model(server).stream(**REQUEST))
            assert server.requests[0].headers["authorization"] == "Bearer klucz"
            assert "openai-organization" not in server.requests[0].headers
            assert not other.requests

    def test_nothing_is_sent_before_the_reply_is_iterated(self):
        with self.api.server() as server:
            self.model(server).stream(**REQUEST)
            assert not server.requests

    def test_what_the_provider_kept_is_counted(self):
        turn = Turn(input_tokens=10, cache_read=600, output_tokens=7)
        with self.api.server(turn) as server:
            reply = self.model(server).stream(**REQUEST)
            list(reply)
        assert reply.usage == Tokens(input=610, output=7, cache_read=600)

    def test_an_answer_that_hits_the_limit_is_truncated(self):
        with self.api.server(Turn(stop_reason="max_tokens")) as server:
            reply = self.model(server).stream(**REQUEST)
            list(reply)
            assert reply.truncated

    @pytest.mark.parametrize("turn", [RATE_LIMITED, OVERLOADED, BROKEN, Turn(status=503), Turn(status=408)])
    def test_a_passing_failure_is_retried_and_goes_unnoticed(self, turn):
        with self.api.server(turn, Turn(pieces=("Tak.",))) as server:
            assert list(self.model(server, max_retries=1).stream(**REQUEST)) == ["Tak."]
            assert len(server.requests) == 2

    @pytest.mark.parametrize("turn", [RATE_LIMITED, OVERLOADED, BROKEN, Turn(status=503), Turn(status=409)])
    def test_a_lasting_failure_of_the_server_is_unavailable(self, turn):
        with self.api.server(turn) as server:
            error = self.failure(server)
        assert isinstance(error, LLMUnavailable)
        assert error.retryable
        assert error.__cause__ is not None

    @pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
    def test_a_request_that_waiting_cannot_mend_is_rejected_at_once(self, status):
        with self.api.server(Turn(status=status, error_type="invalid_request_error")) as server:
            error = self.failure(server, max_retries=2)
            assert len(server.requests) == 1
        assert isinstance(error, LLMRejected)
        assert not error.retryable
        assert f"({status}: scripted {status})" in error.message

    @pytest.mark.parametrize("wait", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])
    def test_a_reader_is_not_kept_for_a_long_retry_after(self, wait):
        with self.api.server(replace(RATE_LIMITED, headers={"retry-after": wait})) as server:
            assert isinstance(self.failure(server, max_retries=2), LLMUnavailable)
            assert len(server.requests) == 1

    @pytest.mark.parametrize("ending", ["cut", "silent_end", "error_event", "malformed"])
    def test_a_stream_that_breaks_off_keeps_its_pieces_and_is_unavailable(self, ending):
        with self.api.server(Turn(pieces=("Tak", " jest"), ending=ending)) as server:
            pieces: list[str] = []
            with pytest.raises(LLMUnavailable):
                pieces.extend(self.model(server).stream(**REQUEST))
            assert pieces == ["Tak", " jest"]

    @pytest.mark.parametrize("pieces", [(), ("",), (" ", "\n")])
    def test_an_answer_without_text_is_unavailable(self, pieces):
        with self.api.server(Turn(pieces=pieces)) as server:
            assert isinstance(self.failure(server), LLMUnavailable)

    def test_a_declined_answer_is_rejected_with_advice_for_the_reader(self):
        with self.api.server(Turn(stop_reason="refusal")) as server:
            error = self.failure(server)
        assert isinstance(error, LLMRejected)
        with translation.override("en"):
            assert str(error.remedy) == "Put the question differently."

    @pytest.mark.parametrize("turn", [Turn(wait=60.0), Turn(pieces=("a", "b"), pause=60.0)])
    def test_a_silent_server_is_given_up_after_the_timeout(self, turn):
        with self.api.server(turn) as server:
            error = self.failure(server, timeout=0.3)
            assert server.finished == 0
        assert isinstance(error, LLMUnavailable)
        with translation.override("en"):
            assert "in time" in error.message

    def test_what_was_late_is_not_asked_again(self):
        with self.api.server(Turn(wait=10.0)) as server:
            assert isinstance(self.failure(server, timeout=0.3, max_retries=2), LLMUnavailable)
            assert len(server.requests) == 1

    def test_no_server_at_all_is_unavailable(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(LLMUnavailable):
            list(self.api.client(api_key="klucz", base_url=url, model="m", max_retries=0).stream(**REQUEST))

    def test_closing_the_generator_ends_the_request(self):
        with self.api.server(Turn(pieces=("słowo ",) * 500, pause=0.02)) as server:
            with closing(iter(self.model(server).stream(**REQUEST))) as pieces:
                assert next(pieces) == "słowo "
            assert server.abandoned.wait(timeout=60)

    def test_replies_of_one_client_count_their_own_tokens_in_threads(self):
        with self.api.server(Turn(pieces=("a",) * 5, pause=0.02, input_tokens=3, output_tokens=4)) as server:
            model = self.model(server)
            replies = [model.stream(**REQUEST) for _ in range(8)]
            threads = [threading.Thread(target=list, args=(reply,)) for reply in replies]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert {reply.usage for reply in replies} == {Tokens(input=3, output=4)}
