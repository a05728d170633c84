"""The real SDK against a local server that speaks the Messages API."""

from contextlib import closing
from typing import Any

import pytest

import rag.types
from rag.errors import CitationsUnsupported, LLMRejected, LLMUnavailable
from rag.llm.messages.messages_model import MessagesModel
from rag.types import QuotableSource, Tokens
from tests.messages_server import Located, MessagesServer, Turn
from tests.rag.llm.contract import MESSAGES, REQUEST, StreamContract


class TestStreamsOfMessages(StreamContract):
    api = MESSAGES


def claude(server: MessagesServer, **options: object) -> MessagesModel:
    chosen: dict[str, Any] = {"timeout": 5.0, "max_retries": 0, **options}
    return MessagesModel(api_key="klucz", base_url=server.url, model="test-model", **chosen)


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


def test_what_a_stream_used_until_it_broke_off_is_counted():
    with MessagesServer(Turn(pieces=("Tak", " jest"), ending="cut")) as server:
        reply = claude(server).stream(**REQUEST)
        with pytest.raises(LLMUnavailable):
            list(reply)
    assert reply.usage.input == 100


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
            assert server.abandoned.wait(timeout=60)
