"""Replies as validated values, as every client promises them."""

import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, Field

from rag.errors import LLMError, LLMRejected, LLMUnavailable
from rag.llm.protocol import LanguageModel
from rag.types import Tokens
from tests.messages_server import BROKEN, OVERLOADED, RATE_LIMITED, Turn
from tests.model_server import ModelServer
from tests.rag.llm.contract import Api

GOOD = Turn.structured({"words": ["zażółć"], "share": 0.5})
UNKNOWN_PARAMETER = Turn(status=400, error_type="invalid_request_error")


class Found(BaseModel):
    words: list[str]
    share: float = Field(ge=0, le=1)


def ask(model: LanguageModel, *, timeout: float = 5.0) -> tuple[Found, Tokens]:
    return model.structured(system="Zasady", prompt="Pytanie", schema=Found, max_tokens=50, timeout=timeout)


class StructuredContract:
    api: Api

    def failure(self, server: ModelServer[Any], *, timeout: float = 5.0) -> LLMError:
        with pytest.raises(LLMError) as caught:
            ask(self.api.model(server), timeout=timeout)
        return caught.value

    def test_a_reply_becomes_a_value_with_its_cost(self):
        with self.api.server(GOOD) as server:
            assert ask(self.api.model(server)) == (Found(words=["zażółć"], share=0.5), Tokens(input=100, output=20))

    def test_what_the_server_enforces_is_remembered(self):
        with self.api.server(GOOD) as server:
            model = self.api.model(server)
            assert model.capabilities.structured is None
            ask(model)
            assert model.capabilities.structured == "schema"

    @pytest.mark.parametrize("fence", ["```json\n%s\n```", "```\n%s```", "\n %s \n"])
    def test_json_in_a_fence_is_read(self, fence):
        with self.api.server(Turn(pieces=(fence % '{"words": [], "share": 1}',))) as server:
            assert ask(self.api.model(server))[0] == Found(words=[], share=1)
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
    def test_an_invalid_reply_is_shown_to_the_model_with_what_is_wrong(self, text, complaint):
        with self.api.server(Turn(pieces=(text,)), GOOD) as server:
            found, usage = ask(self.api.model(server))
        assert found.words == ["zażółć"]
        assert usage == Tokens(input=200, output=40)
        *_, bad, repair = server.requests[1].body["messages"]
        assert bad == {"role": "assistant", "content": text}
        assert complaint in repair["content"]
        assert json.loads(repair["content"].splitlines()[-1])["required"] == ["words", "share"]

    def test_a_reply_that_stays_invalid_is_unavailable_after_one_repair(self):
        with self.api.server(Turn(pieces=("nie wiem",))) as server:
            assert isinstance(self.failure(server), LLMUnavailable)
            assert len(server.requests) == 2

    def test_a_server_that_does_not_heed_the_schema_is_told_it_in_words_from_then_on(self):
        with self.api.server(Turn(pieces=("Oto lista: zażółć",)), GOOD) as server:
            model = self.api.model(server)
            ask(model)
            ask(model)
            assert model.capabilities.structured != "schema"
        assert "JSON schema" in server.requests[2].system

    def test_a_reply_that_was_cut_does_not_speak_against_the_server(self):
        with self.api.server(Turn(pieces=('{"words": [',), stop_reason="max_tokens"), GOOD) as server:
            model = self.api.model(server)
            ask(model)
            assert model.capabilities.structured == "schema"

    @pytest.mark.parametrize("turn", [OVERLOADED, BROKEN, RATE_LIMITED, replace(GOOD, ending="cut")])
    def test_a_temporary_failure_is_tried_once_more(self, turn):
        with self.api.server(turn, GOOD) as server:
            assert ask(self.api.model(server))[0].share == 0.5
            assert len(server.requests) == 2

    @pytest.mark.parametrize("turn", [OVERLOADED, BROKEN, RATE_LIMITED, replace(GOOD, ending="cut")])
    def test_a_lasting_failure_is_unavailable(self, turn):
        with self.api.server(turn) as server:
            assert isinstance(self.failure(server), LLMUnavailable)
            assert len(server.requests) == 2

    def test_a_server_that_wants_a_long_wait_is_not_asked_again(self):
        with self.api.server(replace(RATE_LIMITED, headers={"retry-after": "3600"})) as server:
            assert isinstance(self.failure(server), LLMUnavailable)
            assert len(server.requests) == 1

    @pytest.mark.parametrize("turn", [Turn(status=401, error_type="authentication_error"), Turn(stop_reason="refusal")])
    def test_a_wrong_key_and_a_refusal_are_rejected_at_once(self, turn):
        with self.api.server(turn) as server:
            assert isinstance(self.failure(server), LLMRejected)
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
    def test_the_timeout_bounds_the_whole_call(self, turns):
        with self.api.server(*turns) as server:
            with pytest.raises(LLMUnavailable):
                ask(self.api.model(server), timeout=1.0)
            assert server.finished == len(turns) - 1  # it did not wait for the end of the last reply

    def test_calls_of_one_client_in_threads_do_not_wait_for_each_other(self):
        with self.api.server(replace(GOOD, together=8)) as server:
            model, found = self.api.model(server), []
            threads = [threading.Thread(target=lambda: found.append(ask(model, timeout=60.0))) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert server.most_at_once == 8
        assert found == [(Found(words=["zażółć"], share=0.5), Tokens(input=100, output=20))] * 8

    def test_an_abandoned_call_ends_and_asks_no_more(self):
        with self.api.server(Turn(pieces=("x",) * 200, pause=0.05)) as server:
            self.failure(server, timeout=0.2)
            assert server.abandoned.wait(timeout=60)
            assert len(server.requests) == 1
