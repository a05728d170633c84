"""The real `openai` SDK against a local server that speaks the Chat Completions API."""

from typing import Any

import pytest

from knowledgetree.language_models import Capabilities
from rag.errors import CitationsUnsupported, LLMRejected, LLMUnavailable, ToolsUnsupported
from rag.llm.capabilities import KnownCapabilities
from rag.llm.chat_completions.chat_model import ChatCompletionsModel
from rag.types import QuotableSource, Tokens, ToolCall, ToolResult
from tests.chat_completions_server import ChatCompletionsServer
from tests.messages_turns import ToolUse, Turn
from tests.rag.llm.contract import CHAT_COMPLETIONS, REQUEST, StreamContract
from tests.rag.llm.structured_contract import GOOD, UNKNOWN_PARAMETER, StructuredContract, ask
from tests.rag.llm.tools_contract import CALL, SEARCH, ToolsContract


class TestStreamsOfChatCompletions(StreamContract):
    api = CHAT_COMPLETIONS


class TestStructuredByChatCompletions(StructuredContract):
    api = CHAT_COMPLETIONS


class TestToolsByChatCompletions(ToolsContract):
    api = CHAT_COMPLETIONS


def chat(server: ChatCompletionsServer, **options: Any) -> ChatCompletionsModel:
    chosen = {"api_key": "klucz", "base_url": server.url, "model": "bielik", "max_retries": 0, **options}
    return ChatCompletionsModel(**chosen)


def refused(message: str, status: int = 400) -> Turn:
    return Turn(status=status, error_type="invalid_request_error", message=message)


def converse(model: ChatCompletionsModel, messages: Any = ("Ile?",), **options: Any) -> Any:
    return model.converse(system="Zasady", messages=messages, tools=[SEARCH], max_tokens=50, timeout=5.0, **options)


def test_a_server_of_ones_own_needs_no_key():
    with ChatCompletionsServer() as server:
        list(chat(server, api_key="").stream(**REQUEST))
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(("given", "path"), [("", "/v1/chat/completions"), ("/api/v3", "/api/v3/chat/completions")])
def test_an_address_without_a_path_means_the_first_version(given, path):
    with ChatCompletionsServer() as server:
        list(chat(server, base_url=server.url + given).stream(**REQUEST))
    assert server.requests[0].path == path


def test_tokens_of_streams_are_asked_for():
    with ChatCompletionsServer() as server:
        list(chat(server).stream(**REQUEST))
    assert server.requests[0].body["stream_options"] == {"include_usage": True}


def test_what_a_server_accepts_is_known_from_then_on():
    with ChatCompletionsServer(Turn(pieces=("26 dni.",)), Turn()) as server:
        model = chat(server)
        assert model.capabilities == Capabilities(located_quotes=False)
        converse(model)
        list(model.stream(**REQUEST))
    learned = {"streaming": True, "stream_usage": True, "system_role": True, "tools": True}
    assert model.capabilities == Capabilities(located_quotes=False, **learned)


def test_quotes_are_never_located():
    source = QuotableSource(title="Regulamin", blocks=("Urlop: 20 dni.",))
    with ChatCompletionsServer() as server:
        model = chat(server)
        with pytest.raises(CitationsUnsupported):
            list(model.cite(system="Zasady", sources=[source], prompt="Ile?", max_tokens=50))
        assert not model.locates
        assert not server.requests


class TestWhatServersRefuse:
    """A refusal is understood once, and what it was about is left out from then on."""

    @pytest.mark.parametrize(
        ("message", "learned"),
        [
            ("Unrecognized request argument supplied: stream_options", {"stream_usage": False}),
            ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {"completion_limit": True}),
            ("System role not supported", {"system_role": False}),
            ("Conversation roles must alternate user/assistant/user/assistant/...", {"system_role": False}),
            ("Streaming is not supported by this endpoint", {"streaming": False}),
        ],
    )
    def test_it_is_asked_otherwise_from_then_on(self, message, learned):
        with ChatCompletionsServer(refused(message), Turn(pieces=("Tak.",))) as server:
            model = chat(server)
            replies = [model.stream(**REQUEST), model.stream(**REQUEST)]
            assert [list(reply) for reply in replies] == [["Tak."], ["Tak."]]
            assert len(server.requests) == 3
        assert {name: getattr(model.capabilities, name) for name in learned} == learned

    def test_rules_go_with_the_question_where_there_is_no_role_for_them(self):
        with ChatCompletionsServer(refused("System role not supported"), Turn()) as server:
            list(chat(server).stream(**REQUEST))
        assert server.requests[1].body["messages"] == [{"role": "user", "content": "Zasady\n\nPytanie"}]

    def test_a_reply_that_comes_whole_is_a_reply(self):
        turn = Turn(pieces=("<think>Hm.</think>", "Tak."), stop_reason="max_tokens", output_tokens=9)
        with ChatCompletionsServer(turn) as server:
            reply = chat(server, known=KnownCapabilities(Capabilities(streaming=False))).stream(**REQUEST)
            assert list(reply) == ["Tak."]
            assert "stream" not in server.requests[0].body
        assert (reply.truncated, reply.usage) == (True, Tokens(input=100, output=9))

    def test_several_lessons_are_learned_at_once(self):
        refusals = refused("stream_options"), refused("System role not supported")
        with ChatCompletionsServer(*refusals, Turn(pieces=("Tak.",))) as server:
            assert list(chat(server).stream(**REQUEST)) == ["Tak."]

    def test_what_was_declared_is_not_unlearned(self):
        known = KnownCapabilities(Capabilities(system_role=True))
        with ChatCompletionsServer(refused("System role not supported")) as server:
            with pytest.raises(LLMRejected):
                list(chat(server, known=known).stream(**REQUEST))
            assert len(server.requests) == 1
        assert known.now.system_role

    @pytest.mark.parametrize(
        "message",
        [
            "registry.ollama.ai/library/bielik does not support tools",
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            "tools param requires --jinja flag",
        ],
    )
    def test_a_model_without_tools_is_not_asked_to_use_them_again(self, message):
        with ChatCompletionsServer(refused(message)) as server:
            model = chat(server)
            for _ in range(2):
                with pytest.raises(ToolsUnsupported):
                    converse(model)
            assert len(server.requests) == 1
        assert model.capabilities.tools is False


class TestLevelsOfStructure:
    def test_the_schema_leaves_nothing_to_choice_and_is_told_in_words_too(self):
        with ChatCompletionsServer(GOOD) as server:
            ask(chat(server))
        (request,) = server.requests
        form = request.body["response_format"]["json_schema"]
        assert (form["name"], form["strict"]) == ("Found", True)
        assert (form["schema"]["required"], form["schema"]["additionalProperties"]) == (["words", "share"], False)
        assert "JSON schema" in request.system

    def test_a_server_without_schemas_is_asked_for_json_and_then_in_words_alone(self):
        with ChatCompletionsServer(UNKNOWN_PARAMETER, UNKNOWN_PARAMETER, GOOD) as server:
            model = chat(server)
            assert ask(model)[0] == ask(model)[0]
        asked = [request.body.get("response_format", {}).get("type") for request in server.requests]
        assert asked == ["json_schema", "json_object", None, None]
        assert model.capabilities.structured == "instruction"

    def test_a_request_rejected_at_every_level_teaches_nothing(self):
        with ChatCompletionsServer(UNKNOWN_PARAMETER) as server:
            model = chat(server)
            with pytest.raises(LLMRejected):
                ask(model)
            assert len(server.requests) == 3
        assert model.capabilities.structured is None

    def test_the_level_may_be_declared(self):
        with ChatCompletionsServer(GOOD) as server:
            ask(chat(server, known=KnownCapabilities(Capabilities(structured="json"))))
        assert server.requests[0].body["response_format"] == {"type": "json_object"}

    def test_thoughts_are_no_part_of_the_value(self):
        with ChatCompletionsServer(Turn(pieces=("<think>{", "}</think>\n", *GOOD.pieces))) as server:
            assert ask(chat(server))[0].words == ["zażółć"]


class TestFunctions:
    def test_they_are_declared_with_their_schemas(self):
        with ChatCompletionsServer() as server:
            converse(chat(server))
        body = server.requests[0].body
        function = {"name": "search", "description": SEARCH.description, "parameters": SEARCH.schema}
        assert body["tools"] == [{"type": "function", "function": function}]
        assert (body["tool_choice"], "stream" in body) == ("auto", False)

    def test_a_model_that_may_not_call_still_knows_them_and_its_calls_count_for_nothing(self):
        with ChatCompletionsServer(Turn.calls(CALL, text="26 dni.")) as server:
            turn = converse(chat(server), may_call=False)
        assert (server.requests[0].body["tool_choice"], turn.calls, turn.text) == ("none", (), "26 dni.")

    def test_each_result_is_a_message_and_a_failure_says_so(self):
        with ChatCompletionsServer(Turn.calls(CALL, ToolUse(name="search", input={}, id="b"))) as server:
            model = chat(server)
            said = converse(model)
            results = ToolResult(call_id="toolu_7", text="26"), ToolResult(call_id="b", text="pusto", failed=True)
            converse(model, ["Ile?", said, results])
        _, _, assistant, first, second = server.requests[1].body["messages"]
        assert [call["id"] for call in assistant["tool_calls"]] == ["toolu_7", "b"]
        assert first == {"role": "tool", "tool_call_id": "toolu_7", "content": "26"}
        assert second == {"role": "tool", "tool_call_id": "b", "content": "Error: pusto"}

    def test_calls_without_a_number_get_one(self):
        with ChatCompletionsServer(Turn.calls(ToolUse(name="search", input={}, id=""))) as server:
            assert converse(chat(server)).calls == (ToolCall(id="call_1", name="search", arguments={}),)

    @pytest.mark.parametrize("text", ["<think>Hm.</think>\n26 dni.", "Hm.</think>26 dni."])
    def test_thoughts_are_not_said(self, text):
        with ChatCompletionsServer(Turn(pieces=(text,))) as server:
            assert converse(chat(server)).text == "26 dni."


def test_an_account_without_credit_is_rejected_though_it_says_too_many_requests():
    turn = Turn(status=429, error_type="insufficient_quota", message="You exceeded your current quota")
    with ChatCompletionsServer(turn) as server, pytest.raises(LLMRejected):
        list(chat(server, max_retries=2).stream(**REQUEST))
    assert len(server.requests) == 1


def test_a_reply_of_nothing_but_thoughts_is_unavailable():
    with ChatCompletionsServer(Turn(pieces=("<think>Hm", " hm"), stop_reason="max_tokens")) as server:
        reply = chat(server).stream(**REQUEST)
        with pytest.raises(LLMUnavailable):
            list(reply)
        assert reply.truncated
