"""The provider's own web search, through the real SDK."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from knowledgetree.components import component
from rag.answering.correction.web_search import WebResult, WebSearchFailed, WebSearchRejected
from rag.answering.correction.web_search.anthropic import AnthropicSearch
from rag.llm.messages.messages_model import MessagesModel
from tests.messages_server import MessagesServer, Turn, WebQuote, WebSearch

FOUND = WebSearch(found=(("https://a.pl/vat", "Stawki VAT"), ("https://b.pl/", "Inna"), ("javascript:alert(1)", "Zła")))
QUOTED = WebQuote(url="https://a.pl/vat", cited_text="Książki są objęte stawką 5%.")


def engine(server: MessagesServer) -> AnthropicSearch:
    return AnthropicSearch(llm=MessagesModel(api_key="klucz", base_url=server.url, model="test"))


def test_pages_come_with_what_was_quoted_and_what_it_cost() -> None:
    with MessagesServer(Turn(pieces=(FOUND, "Stawka to 5%.", QUOTED), input_tokens=70, output_tokens=7)) as server:
        results, usage = engine(server).search("stawka VAT", language="pl", limit=5, seconds=5)
    assert results == [
        WebResult(url="https://a.pl/vat", title="Stawki VAT", text="Książki są objęte stawką 5%."),
        WebResult(url="https://b.pl/", title="Inna"),
    ]
    assert (usage.input, usage.output) == (70, 7)
    assert server.requests[0].body["tools"][0]["name"] == "web_search"


def test_no_more_than_asked_for() -> None:
    with MessagesServer(Turn(pieces=(FOUND, "x"))) as server:
        assert len(engine(server).search("x", language="en", limit=1, seconds=5)[0]) == 1


@pytest.mark.parametrize(
    ("turn", "retryable"),
    [
        (Turn(status=401, error_type="authentication_error"), False),
        (Turn(status=400, error_type="invalid_request_error"), False),
        (Turn(status=500), True),
        (Turn(pieces=(WebSearch(error_code="unavailable"), "nie wiem")), True),
    ],
)
def test_a_failure_says_whether_to_try_again(turn: Turn, retryable: bool) -> None:
    with MessagesServer(turn) as server, pytest.raises(WebSearchFailed) as failed:
        engine(server).search("x", language="pl", limit=5, seconds=5)
    assert failed.value.retryable == retryable
    assert isinstance(failed.value, WebSearchRejected) != retryable
    assert failed.value.remedy


def test_it_ends_in_time() -> None:
    with MessagesServer(Turn(wait=3)) as server, pytest.raises(WebSearchFailed):
        engine(server).search("x", language="pl", limit=5, seconds=0.3)


@pytest.mark.django_db
def test_the_model_is_that_of_tools(settings: Any) -> None:
    with MessagesServer(Turn(pieces=(FOUND, "x"))) as server:
        models = {"tools": "model-od-narzedzi"}
        settings.RAG = {**settings.RAG, "llm": {"api_key": "klucz", "base_url": server.url, "models": models}}
        component("web_search", "anthropic").search("x", language="pl", limit=5, seconds=5)
    assert server.requests[0].body["model"] == "model-od-narzedzi"


@pytest.mark.django_db
def test_without_a_model_of_that_api_it_says_so(settings: Any) -> None:
    settings.RAG = {**settings.RAG, "llm": {"api_key": ""}}
    with pytest.raises(ImproperlyConfigured, match="Messages API"):
        component("web_search", "anthropic")
