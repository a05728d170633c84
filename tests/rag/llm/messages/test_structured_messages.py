"""Replies as validated values: the real SDK against a local server that speaks the Messages API."""

import pytest

from rag.errors import LLMRejected
from rag.llm.messages.messages_model import MessagesModel
from tests.messages_server import MessagesServer
from tests.rag.llm.contract import MESSAGES
from tests.rag.llm.structured_contract import GOOD, UNKNOWN_PARAMETER, StructuredContract, ask


class TestStructuredByMessages(StructuredContract):
    api = MESSAGES


def claude(server: MessagesServer) -> MessagesModel:
    return MessagesModel(api_key="klucz", base_url=server.url, model="test-model")


def test_a_schema_that_the_server_enforces_is_told_once():
    with MessagesServer(GOOD) as server:
        ask(claude(server))
    (request,) = server.requests
    schema = request.body["output_config"]["format"]["schema"]
    assert request.body["output_config"]["format"]["type"] == "json_schema"
    assert (schema["required"], schema["additionalProperties"]) == (["words", "share"], False)
    assert request.body["system"] == "Zasady"
    assert request.body["messages"] == [{"role": "user", "content": "Pytanie"}]


def test_a_server_that_rejects_the_schema_is_asked_without_it_from_then_on():
    with MessagesServer(UNKNOWN_PARAMETER, GOOD) as server:
        model = claude(server)
        assert ask(model)[0] == ask(model)[0]
    assert ["output_config" in request.body for request in server.requests] == [True, False, False]
    assert ["JSON schema" in request.body["system"] for request in server.requests] == [False, True, True]


def test_a_request_rejected_for_another_reason_leaves_the_schema_alone():
    with MessagesServer(UNKNOWN_PARAMETER, UNKNOWN_PARAMETER, GOOD) as server:
        model = claude(server)
        with pytest.raises(LLMRejected):
            ask(model)
        ask(model)
    assert ["output_config" in request.body for request in server.requests] == [True, False, True]
