"""Replies as validated values: the real SDK against a local server that speaks the Messages API."""

import json
import threading
from dataclasses import replace

import pytest
from pydantic import BaseModel, Field

from rag.errors import LLMError, LLMRejected, LLMUnavailable
from rag.llm.messages.messages_model import MessagesModel
from rag.types import Tokens
from tests.messages_server import BROKEN, OVERLOADED, RATE_LIMITED, MessagesServer, Turn

GOOD = Turn.structured({"words": ["zażółć"], "share": 0.5})
UNKNOWN_PARAMETER = Turn(status=400, error_type="invalid_request_error")


class Found(BaseModel):
    words: list[str]
    share: float = Field(ge=0, le=1)


def ask(model: MessagesModel, *, timeout: float = 5.0) -> tuple[Found, Tokens]:
    return model.structured(system="Zasady", prompt="Pytanie", schema=Found, max_tokens=50, timeout=timeout)


def claude(server: MessagesServer) -> MessagesModel:
    return MessagesModel(api_key="klucz", base_url=server.url, model="test-model")


def failure(server: MessagesServer, *, timeout: float = 5.0) -> LLMError:
    with pytest.raises(LLMError) as caught:
        ask(claude(server), timeout=timeout)
    return caught.value


def test_a_reply_becomes_a_value_with_its_cost():
    with MessagesServer(GOOD) as server:
        assert ask(claude(server)) == (Found(words=["zażółć"], share=0.5), Tokens(input=100, output=20))


def test_a_schema_that_the_server_enforces_is_told_once():
    with MessagesServer(GOOD) as server:
        ask(claude(server))
    (request,) = server.requests
    schema = request.body["output_config"]["format"]["schema"]
    assert request.body["output_config"]["format"]["type"] == "json_schema"
    assert (schema["required"], schema["additionalProperties"]) == (["words", "share"], False)
    assert request.body["system"] == "Zasady"
    assert request.body["messages"] == [{"role": "user", "content": "Pytanie"}]


@pytest.mark.parametrize("fence", ["```json\n%s\n```", "```\n%s```", "\n %s \n"])
def test_json_in_a_fence_is_read(fence):
    with MessagesServer(Turn(pieces=(fence % '{"words": [], "share": 1}',))) as server:
        assert ask(claude(server))[0] == Found(words=[], share=1)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Oto lista: zażółć", "Invalid JSON"),
        ('{"words": ["a"]', "Invalid JSON"),
        ('{"words": "a", "share": 0.5}', "words"),
        ('{"words": ["a"]}', "share"),
        ('{"words": ["a"], "share": 7}', "less than or equal to 1"),
    ],
)
def test_an_invalid_reply_is_shown_to_the_model_with_what_is_wrong(text, complaint):
    with MessagesServer(Turn(pieces=(text,)), GOOD) as server:
        found, usage = ask(claude(server))
    assert found.words == ["zażółć"]
    assert usage == Tokens(input=200, output=40)
    _, bad, repair = server.requests[1].body["messages"]
    assert bad == {"role": "assistant", "content": text}
    assert complaint in repair["content"]
    assert json.loads(repair["content"].splitlines()[-1])["required"] == ["words", "share"]


def test_a_reply_that_stays_invalid_is_unavailable_after_one_repair():
    with MessagesServer(Turn(pieces=("nie wiem",))) as server:
        assert isinstance(failure(server), LLMUnavailable)
        assert len(server.requests) == 2


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


@pytest.mark.parametrize("turn", [OVERLOADED, BROKEN, RATE_LIMITED, replace(GOOD, ending="cut")])
def test_a_temporary_failure_is_tried_once_more(turn):
    with MessagesServer(turn, GOOD) as server:
        assert ask(claude(server))[0].share == 0.5
        assert len(server.requests) == 2


@pytest.mark.parametrize("turn", [OVERLOADED, BROKEN, RATE_LIMITED, replace(GOOD, ending="cut")])
def test_a_lasting_failure_is_unavailable(turn):
    with MessagesServer(turn) as server:
        assert isinstance(failure(server), LLMUnavailable)
        assert len(server.requests) == 2


def test_a_server_that_wants_a_long_wait_is_not_asked_again():
    with MessagesServer(replace(RATE_LIMITED, headers={"retry-after": "3600"})) as server:
        assert isinstance(failure(server), LLMUnavailable)
        assert len(server.requests) == 1


@pytest.mark.parametrize("turn", [Turn(status=401, error_type="authentication_error"), Turn(stop_reason="refusal")])
def test_a_wrong_key_and_a_refusal_are_rejected_at_once(turn):
    with MessagesServer(turn) as server:
        assert isinstance(failure(server), LLMRejected)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "turns",
    [
        (Turn(wait=60.0),),
        (Turn(pieces=("{", "}"), pause=60.0),),
        (Turn(pieces=(" ",) * 1000, pause=0.06),),  # each wait is short, the whole is not
        (Turn(pieces=("nie",)), Turn(wait=60.0)),  # the repair has only what the first reply left
    ],
)
def test_the_timeout_bounds_the_whole_call(turns):
    with MessagesServer(*turns) as server:
        model = claude(server)
        with pytest.raises(LLMUnavailable):
            ask(model, timeout=1.0)
        assert server.finished == len(turns) - 1  # it did not wait for the end of the last reply


def test_calls_of_one_client_in_threads_do_not_wait_for_each_other():
    with MessagesServer(replace(GOOD, together=8)) as server:
        model, found = claude(server), []
        threads = [threading.Thread(target=lambda: found.append(ask(model, timeout=60.0))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.most_at_once == 8
    assert found == [(Found(words=["zażółć"], share=0.5), Tokens(input=100, output=20))] * 8


def test_an_abandoned_call_ends_and_asks_no_more():
    with MessagesServer(Turn(pieces=("x",) * 200, pause=0.05)) as server:
        failure(server, timeout=0.2)
        assert server.abandoned.wait(timeout=3)
        assert len(server.requests) == 1
