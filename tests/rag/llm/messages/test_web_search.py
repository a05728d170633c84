"""The provider's own web search: the real SDK against a local server that speaks the Messages API."""

import pytest

from rag.errors import LLMRejected, LLMUnavailable
from rag.llm.messages.messages_model import MessagesModel
from rag.llm.messages.web_search import AnthropicWebSearch, FoundPage
from rag.types import Tokens
from tests.messages_server import OVERLOADED, MessagesServer, Turn, WebQuote, WebSearch

FOUND = WebSearch(found=(("https://a.example/1", "Pierwsza"), ("https://b.example/2", "Druga")))
QUOTED = Turn(
    pieces=(
        "Poszukam.",
        FOUND,
        "Urlop to 26 dni",
        WebQuote(url="https://b.example/2", cited_text="wymiar urlopu: 26 dni"),
        ", na żądanie 4",
        WebQuote(url="https://b.example/2", cited_text="4 dni na żądanie"),
        WebQuote(url="https://b.example/2", cited_text="wymiar urlopu: 26 dni"),
    )
)


def search(server: MessagesServer, *, limit: int = 5, **options: object) -> tuple[tuple[FoundPage, ...], Tokens]:
    llm = MessagesModel(api_key="klucz", base_url=server.url, model="m", max_retries=0)
    return AnthropicWebSearch(llm, **options).search("Ile urlopu?", limit=limit, timeout=5.0)  # type: ignore[arg-type]


def test_pages_come_with_what_was_quoted_of_them():
    with MessagesServer(QUOTED) as server:
        pages, usage = search(server)
    assert pages == (
        FoundPage(url="https://a.example/1", title="Pierwsza"),
        FoundPage(url="https://b.example/2", title="Druga", text="wymiar urlopu: 26 dni 4 dni na żądanie"),
    )
    assert usage == Tokens(input=100, output=20)


def test_the_server_may_search_once():
    with MessagesServer(QUOTED) as server:
        search(server)
    (request,) = server.requests
    assert request.body["tools"] == [{"type": "web_search_20250305", "name": "web_search", "max_uses": 1}]
    assert "<question>\nIle urlopu?\n</question>" in request.prompt
    assert "nie można ufać" in request.system


def test_only_allowed_domains_are_searched():
    with MessagesServer(QUOTED) as server:
        search(server, allowed_domains=("gov.pl", "zus.pl"))
    assert server.requests[0].body["tools"][0]["allowed_domains"] == ["gov.pl", "zus.pl"]


def test_no_more_pages_come_than_were_wanted_and_each_once():
    with MessagesServer(Turn(pieces=(FOUND, FOUND, "Nic."))) as server:
        assert [page.url for page in search(server)[0]] == ["https://a.example/1", "https://b.example/2"]
        assert len(search(server, limit=1)[0]) == 1


@pytest.mark.parametrize("pieces", [("brak",), (WebSearch(), "brak")])
def test_nothing_found_is_nothing(pieces):
    with MessagesServer(Turn(pieces=pieces)) as server:
        assert search(server)[0] == ()


@pytest.mark.parametrize("turn", [OVERLOADED, Turn(pieces=(WebSearch(error_code="too_many_requests"), "Przykro mi."))])
def test_a_search_that_fails_is_unavailable(turn):
    with MessagesServer(turn) as server, pytest.raises(LLMUnavailable):
        search(server)


def test_a_server_without_such_a_tool_rejects_it():
    with MessagesServer(Turn(status=400, error_type="invalid_request_error")) as server, pytest.raises(LLMRejected):
        search(server)
