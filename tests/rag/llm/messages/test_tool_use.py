"""Conversations with tools: the real SDK against a local server that speaks the Messages API."""

from typing import Any

import pytest

from rag.llm.messages.messages_model import MessagesModel
from rag.types import Message, ModelTurn, Tokens, ToolResult
from tests.messages_server import MessagesServer, Turn
from tests.rag.llm.contract import MESSAGES
from tests.rag.llm.tools_contract import CALL, SEARCH, ToolsContract


class TestToolsByMessages(ToolsContract):
    api = MESSAGES


def converse(server: MessagesServer, messages: list[Message], **options: Any) -> ModelTurn:
    chosen: dict[str, Any] = {"tools": [SEARCH], "max_tokens": 50, "timeout": 5.0, **options}
    llm = MessagesModel(api_key="klucz", base_url=server.url, model="test-model")
    return llm.converse(system="Zasady", messages=messages, **chosen)


def test_tools_and_limits_are_declared():
    with MessagesServer(Turn.calls(CALL)) as server:
        converse(server, ["Ile?"])
    body = server.requests[0].body
    assert body["tools"] == [{"name": "search", "description": SEARCH.description, "input_schema": SEARCH.schema}]
    assert (body["tool_choice"], body["max_tokens"], "stream" in body) == ({"type": "auto"}, 50, False)


@pytest.mark.parametrize("failed", [False, True])
def test_results_go_back_with_what_the_model_said(failed):
    with MessagesServer(Turn.calls(CALL, text="Poszukam."), Turn(pieces=("26 dni.",))) as server:
        said = converse(server, ["Ile?"])
        converse(server, ["Ile?", said, (ToolResult(call_id="toolu_7", text="Urlop: 26 dni", failed=failed),)])
    question, model, results = server.requests[1].body["messages"]
    assert question == {"role": "user", "content": [{"type": "text", "text": "Ile?"}]}
    assert model["role"] == "assistant"
    assert [block["type"] for block in model["content"]] == ["text", "tool_use"]
    (result,) = results["content"]
    assert (result["tool_use_id"], result["content"], "is_error" in result) == ("toolu_7", "Urlop: 26 dni", failed)


def test_rules_and_all_that_was_said_are_kept_by_the_provider():
    with MessagesServer(Turn.calls(CALL), Turn(cache_read=60, cache_write=30, input_tokens=10)) as server:
        said = converse(server, ["Ile?"])
        turn = converse(server, ["Ile?", said, (ToolResult(call_id="toolu_7", text="26"),)])
    body = server.requests[1].body
    assert body["system"][-1]["cache_control"] == {"type": "ephemeral"}
    marked = ["cache_control" in block for message in body["messages"] for block in message["content"]]
    assert marked == [False] * (len(marked) - 1) + [True]
    assert turn.usage == Tokens(input=100, output=20, cache_read=60, cache_write=30)


def test_a_model_that_may_not_call_still_knows_its_tools():
    with MessagesServer(Turn()) as server:
        converse(server, ["Ile?"], may_call=False)
    body = server.requests[0].body
    assert (body["tool_choice"], len(body["tools"])) == ({"type": "none"}, 1)
