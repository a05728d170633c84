"""The real SDK against a local server that speaks the Messages API."""

import socket
import threading
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

import rag.types
from rag.errors import CitationsUnsupported, LLMError, LLMRejected, LLMUnavailable
from rag.llm.messages.messages_model import MessagesModel
from rag.types import QuotableSource, Tokens
from tests.messages_server import BROKEN, OVERLOADED, RATE_LIMITED, Located, MessagesServer, Turn

REQUEST = {"system": "Zasady", "prompt": "Pytanie", "max_tokens": 50}


def claude(server: MessagesServer, **options: object) -> MessagesModel:
    chosen: dict[str, Any] = {"timeout": 5.0, "max_retries": 0, **options}
    return MessagesModel(api_key="klucz", base_url=server.url, model="test-model", **chosen)


def failure(server: MessagesServer, **options: object) -> LLMError:
    with pytest.raises(LLMError) as caught:
        list(claude(server, **options).stream(**REQUEST))
    return caught.value


def test_pieces_arrive_as_the_model_wrote_them():
    turn = Turn(pieces=("Zażółć ", "gęślą", " [1]."), input_tokens=12, output_tokens=7)
    with MessagesServer(turn) as server:
        reply = claude(server).stream(**REQUEST)
        assert list(reply) == ["Zażółć ", "gęślą", " [1]."]
        assert (reply.usage, reply.truncated) == (Tokens(input=12, output=7), False)


def test_the_request_carries_key_model_prompt_and_limit():
    with MessagesServer() as server:
        list(claude(server).stream(**REQUEST))
    (request,) = server.requests
    assert request.path == "/v1/messages"
    assert request.headers["authorization"] == "Bearer klucz"
    assert request.body["model"] == "test-model"
    assert request.system == "Zasady"
    assert request.body["messages"] == [{"role": "user", "content": "Pytanie"}]
    assert (request.body["max_tokens"], request.body["stream"]) == (50, True)


def test_the_environment_does_not_redirect_the_client(monkeypatch):
    with MessagesServer() as server, MessagesServer() as other:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", other.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "inny")
        list(claude(server).stream(**REQUEST))
        assert server.requests[0].headers["authorization"] == "Bearer klucz"
        assert not other.requests


def test_nothing_is_sent_before_the_reply_is_iterated():
    with MessagesServer() as server:
        claude(server).stream(**REQUEST)
        assert not server.requests


def test_native_citations_do_not_disturb_the_text():
    with MessagesServer(Turn(pieces=("Tak", Located(cited_text="tak", source="a"), "."))) as server:
        assert list(claude(server).stream(**REQUEST)) == ["Tak", "."]


def test_the_rules_are_kept_by_the_provider_and_what_it_kept_is_counted():
    turn = Turn(input_tokens=10, cache_read=600, cache_write=40, output_tokens=7)
    with MessagesServer(turn) as server:
        reply = claude(server).stream(**REQUEST)
        list(reply)
    assert server.requests[0].body["system"] == [
        {"type": "text", "text": "Zasady", "cache_control": {"type": "ephemeral"}}
    ]
    assert reply.usage == Tokens(input=650, output=7, cache_read=600, cache_write=40)


class TestLocatedQuotes:
    SOURCES = (QuotableSource(title="Regulamin", blocks=("Urlop: 20 dni. ", "Wniosek: 7 dni.")),)
    QUOTE = Located(cited_text="Wniosek: 7 dni.", start_block_index=1, end_block_index=2)

    def cite(self, server, **options):
        return claude(server, **options).cite(system="Zasady", sources=self.SOURCES, prompt="Ile?", max_tokens=50)

    @pytest.mark.parametrize("first", [True, False])
    def test_a_quote_comes_after_the_words_it_bears_out(self, first):
        turn = Turn(pieces=("Siedem", " dni", self.QUOTE, "."), citations_first=first)
        with MessagesServer(turn) as server:
            *before, quote, end = self.cite(server)
        assert ("".join(before), end) == ("Siedem dni", ".")
        assert quote == rag.types.Located(source=0, first=1, last=2, quoted="Wniosek: 7 dni.")

    def test_sources_are_search_results_before_the_prompt(self):
        with MessagesServer() as server:
            list(self.cite(server))
        source, prompt = server.requests[0].body["messages"][0]["content"]
        assert (source["type"], source["title"], source["citations"]) == (
            "search_result",
            "Regulamin",
            {"enabled": True},
        )
        assert [block["text"] for block in source["content"]] == list(self.SOURCES[0].blocks)
        assert prompt == {"type": "text", "text": "Ile?"}

    @pytest.mark.parametrize("status", [400, 422])
    def test_a_server_that_does_not_know_them_is_remembered(self, status):
        unknown = Turn(status=status, error_type="invalid_request_error", message="Input tag 'search_result' found")
        with MessagesServer(unknown) as server:
            model = claude(server)
            with pytest.raises(CitationsUnsupported):
                list(model.cite(system="Zasady", sources=self.SOURCES, prompt="Ile?", max_tokens=50))
        assert not model.locates

    def test_a_request_rejected_for_another_reason_leaves_them_alone(self):
        poor = Turn(status=400, error_type="invalid_request_error", message="credit balance is too low")
        with MessagesServer(poor) as server:
            model = claude(server)
            with pytest.raises(LLMRejected) as caught:
                list(model.cite(system="Zasady", sources=self.SOURCES, prompt="Ile?", max_tokens=50))
        assert not isinstance(caught.value, CitationsUnsupported)
        assert model.locates

    def test_closing_the_generator_ends_the_request(self):
        with MessagesServer(Turn(pieces=("słowo ",) * 500, pause=0.02)) as server:
            with closing(iter(self.cite(server))) as pieces:
                next(pieces)
            assert server.abandoned.wait(timeout=3)


def test_an_answer_that_hits_the_limit_is_truncated():
    with MessagesServer(Turn(stop_reason="max_tokens")) as server:
        reply = claude(server).stream(**REQUEST)
        list(reply)
        assert reply.truncated


@pytest.mark.parametrize("turn", [RATE_LIMITED, OVERLOADED, BROKEN, Turn(status=503), Turn(status=408)])
def test_a_passing_failure_is_retried_and_goes_unnoticed(turn):
    with MessagesServer(turn, Turn(pieces=("Tak.",))) as server:
        assert list(claude(server, max_retries=1).stream(**REQUEST)) == ["Tak."]
        assert len(server.requests) == 2


@pytest.mark.parametrize("turn", [RATE_LIMITED, OVERLOADED, BROKEN, Turn(status=503), Turn(status=409)])
def test_a_lasting_failure_of_the_server_is_unavailable(turn):
    with MessagesServer(turn) as server:
        error = failure(server)
    assert isinstance(error, LLMUnavailable)
    assert error.retryable
    assert error.__cause__ is not None


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
def test_a_request_that_waiting_cannot_mend_is_rejected_at_once(status):
    with MessagesServer(Turn(status=status, error_type="invalid_request_error")) as server:
        error = failure(server, max_retries=2)
        assert len(server.requests) == 1
    assert isinstance(error, LLMRejected)
    assert not error.retryable
    assert f"scripted {status}" in error.message


@pytest.mark.parametrize("wait", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_a_reader_is_not_kept_for_a_long_retry_after(wait):
    with MessagesServer(replace(RATE_LIMITED, headers={"retry-after": wait})) as server:
        assert isinstance(failure(server, max_retries=2), LLMUnavailable)
        assert len(server.requests) == 1


@pytest.mark.parametrize("ending", ["cut", "silent_end", "error_event", "malformed"])
def test_a_stream_that_breaks_off_keeps_its_pieces_and_is_unavailable(ending):
    with MessagesServer(Turn(pieces=("Tak", " jest"), ending=ending)) as server:
        pieces: list[str] = []
        reply = claude(server).stream(**REQUEST)
        with pytest.raises(LLMUnavailable):
            pieces.extend(reply)
        assert pieces == ["Tak", " jest"]
        assert reply.usage.input == 100


@pytest.mark.parametrize("pieces", [(), ("",), (" ", "\n")])
def test_an_answer_without_text_is_unavailable(pieces):
    with MessagesServer(Turn(pieces=pieces)) as server:
        assert isinstance(failure(server), LLMUnavailable)


def test_a_declined_answer_is_rejected_with_advice_for_the_reader():
    with MessagesServer(Turn(stop_reason="refusal")) as server:
        error = failure(server)
    assert isinstance(error, LLMRejected)
    assert "ANTHROPIC_API_KEY" not in str(error.remedy)


@pytest.mark.parametrize("turn", [Turn(wait=60.0), Turn(pieces=("a", "b"), pause=60.0)])
def test_a_silent_server_is_given_up_after_the_timeout(turn):
    with MessagesServer(turn) as server:
        error = failure(server, timeout=0.3)
        assert server.finished == 0
    assert isinstance(error, LLMUnavailable)
    with translation.override("en"):
        assert "in time" in error.message


def test_what_was_late_is_not_asked_again():
    with MessagesServer(Turn(wait=10.0)) as server:
        assert isinstance(failure(server, timeout=0.3, max_retries=2), LLMUnavailable)
        assert len(server.requests) == 1


def test_no_server_at_all_is_unavailable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(LLMUnavailable):
        list(MessagesModel(api_key="klucz", base_url=url, model="m", max_retries=0).stream(**REQUEST))


def test_closing_the_generator_ends_the_request():
    with MessagesServer(Turn(pieces=("słowo ",) * 500, pause=0.02)) as server:
        with closing(iter(claude(server).stream(**REQUEST))) as pieces:
            assert next(pieces) == "słowo "
        assert server.abandoned.wait(timeout=3)


def test_replies_of_one_client_count_their_own_tokens_in_threads():
    with MessagesServer(Turn(pieces=("a",) * 5, pause=0.02, input_tokens=3, output_tokens=4)) as server:
        model = claude(server)
        replies = [model.stream(**REQUEST) for _ in range(8)]
        threads = [threading.Thread(target=list, args=(reply,)) for reply in replies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {reply.usage for reply in replies} == {Tokens(input=3, output=4)}
