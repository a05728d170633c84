"""Conversations with tools, as every client promises them."""

from typing import Any

import pytest

from rag.errors import LLMRejected, LLMUnavailable
from rag.types import Message, ModelTurn, Tokens, ToolCall, ToolResult, ToolSpec
from tests.messages_server import BROKEN, OVERLOADED, ToolUse, Turn
from tests.model_server import ModelServer
from tests.rag.llm.contract import Api

SEARCH = ToolSpec(
    name="search",
    description="Szuka w bazie wiedzy.",
    schema={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
CALL = ToolUse(name="search", input={"query": "urlop"}, id="toolu_7")


class ToolsContract:
    api: Api

    def converse(self, server: ModelServer[Any], messages: list[Message], **options: Any) -> ModelTurn:
        chosen: dict[str, Any] = {"tools": [SEARCH], "max_tokens": 50, "timeout": 5.0, **options}
        return self.api.model(server).converse(system="Zasady", messages=messages, **chosen)

    def test_a_call_of_a_tool_arrives_with_its_arguments(self):
        with self.api.server(Turn.calls(CALL, text="Poszukam.")) as server:
            turn = self.converse(server, ["Ile urlopu?"])
        assert turn.calls == (ToolCall(id="toolu_7", name="search", arguments={"query": "urlop"}),)
        assert (turn.text, turn.stopped, turn.usage) == ("Poszukam.", "tools", Tokens(input=100, output=20))

    def test_several_calls_arrive_in_order(self):
        with self.api.server(Turn.calls(CALL, ToolUse(name="search", input={}, id="toolu_8"))) as server:
            assert [call.id for call in self.converse(server, ["Ile?"]).calls] == ["toolu_7", "toolu_8"]

    def test_a_turn_without_calls_is_the_end(self):
        with self.api.server(Turn(pieces=("26 dni.",))) as server:
            turn = self.converse(server, ["Ile?"])
        assert (turn.text, turn.calls, turn.stopped) == ("26 dni.", (), "end")

    def test_calls_that_were_cut_off_do_not_count(self):
        with self.api.server(Turn(pieces=("Poszukam.", CALL), stop_reason="max_tokens")) as server:
            turn = self.converse(server, ["Ile?"])
        assert (turn.calls, turn.stopped) == ((), "limit")

    @pytest.mark.parametrize("arguments", ["urlop", ["urlop"], None])
    def test_arguments_that_are_no_object_are_none(self, arguments):
        with self.api.server(Turn.calls(ToolUse(name="search", input=arguments))) as server:
            assert self.converse(server, ["Ile?"]).calls[0].arguments == {}

    @pytest.mark.parametrize("turn", [BROKEN, OVERLOADED, Turn(ending="malformed")])
    def test_a_failing_server_is_unavailable(self, turn):
        with self.api.server(turn) as server, pytest.raises(LLMUnavailable):
            self.converse(server, ["Ile?"])

    def test_a_rejected_request_is_rejected(self):
        turn = Turn(status=401, error_type="authentication_error")
        with self.api.server(turn) as server, pytest.raises(LLMRejected):
            self.converse(server, ["Ile?"])

    def test_the_timeout_bounds_the_whole_call(self):
        with self.api.server(Turn(wait=60.0)) as server:
            with pytest.raises(LLMUnavailable):
                self.converse(server, ["Ile?"], timeout=0.5)
            assert server.finished == 0

    def test_results_go_back_with_what_the_model_said(self):
        with self.api.server(Turn.calls(CALL, text="Poszukam."), Turn(pieces=("26 dni.",))) as server:
            said = self.converse(server, ["Ile?"])
            turn = self.converse(server, ["Ile?", said, (ToolResult(call_id="toolu_7", text="26"),)])
            question, model, *results = [
                message for message in server.requests[1].body["messages"] if message["role"] != "system"
            ]
        assert (question["role"], model["role"], len(results)) == ("user", "assistant", 1)
        assert "toolu_7" in str(model)
        assert "toolu_7" in str(results)
        assert turn.text == "26 dni."
