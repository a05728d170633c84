"""Whole questions answered by a model of one's own, through the Chat Completions API."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from rag.services.ask import answer_question
from tests.chat_completions_server import ChatCompletionsServer, ChatRequest
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.messages_turns import ToolUse, Turn

QUESTION = "Ile dni urlopu przysługuje po dziesięciu latach?"
ANSWER = Turn(
    pieces=("<think>Drugie źródło.</think>", "Przysługuje ", "26 dni [1]."), input_tokens=700, output_tokens=30
)
NO_TOOLS = Turn(status=400, error_type="invalid_request_error", message="bielik does not support tools")


@pytest.fixture(scope="module")
def kept_leave(kept_rows: Kept) -> None:
    with kept_rows.writing():
        index_text(make_public(), "Po dziesięciu latach stażu przysługuje 26 dni urlopu.", name="staz.md", title="Staż")


@pytest.fixture(autouse=True)
def leave(kept_leave: None, db: None) -> None:
    """What `kept_leave` wrote."""


@pytest.fixture
def server(settings: Any) -> Iterator[ChatCompletionsServer]:
    agent = {"synthesizer": "compact", "research": "agentic"}
    with ChatCompletionsServer(ANSWER) as server:
        llm = {"api": "chat_completions", "base_url": server.url, "model": "bielik", "fast_model": "", "max_retries": 0}
        settings.RAG = {**settings.RAG, "llm": llm, "presets": {"badacz": agent}}
        yield server


def answer(**options: Any) -> Any:
    return answer_question(QUESTION, viewer=AnonymousUser(), save=False, cached=False, **options)


def test_its_answer_is_cited_and_counted(server: ChatCompletionsServer) -> None:
    given = answer()
    assert given.text == "Przysługuje 26 dni [1]."
    assert [citation.title for citation in given.citations] == ["Staż"]
    assert given.metrics.models["answer"] == "bielik"
    assert given.metrics.tokens.output >= 30
    assert server.requests[-1].headers.get("authorization") is None


def test_it_researches_with_tools(server: ChatCompletionsServer) -> None:
    def turn(request: ChatRequest) -> Turn:
        if "tools" not in request.body:
            return ANSWER
        results = [message for message in request.body["messages"] if message["role"] == "tool"]
        return (
            Turn(pieces=("Mam wszystko.",)) if results else Turn.calls(ToolUse(name="search", input={"query": "staż"}))
        )

    server.choose = turn
    assert "26 dni" in answer(preset="badacz").text
    assert any("tools" in request.body for request in server.requests)


def test_without_tools_it_researches_by_a_plan_from_then_on(server: ChatCompletionsServer) -> None:
    server.choose = lambda request: NO_TOOLS if "tools" in request.body else ANSWER
    assert "26 dni" in answer(preset="badacz").text
    server.requests.clear()
    assert "26 dni" in answer(preset="badacz").text
    assert not any("tools" in request.body for request in server.requests)
