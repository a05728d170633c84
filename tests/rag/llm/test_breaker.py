"""A provider that is down, and one that is busy: the real SDK against a local server."""

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation
from pydantic import BaseModel

from knowledgetree.circuit_breaker import CircuitBreaker
from rag.errors import LLMError, LLMRejected, LLMUnavailable
from rag.llm.messages.messages_model import MessagesModel
from rag.llm.provider import Provider, provider
from tests.messages_server import BROKEN, OVERLOADED, RATE_LIMITED, MessagesServer, Turn

GOOD = Turn(pieces=("Tak.",))
REFUSED = Turn(status=400, error_type="invalid_request_error")


class TooSoon(Exception):
    pass


class Yes(BaseModel):
    yes: bool


def shared(**limits: Any) -> Provider:
    return Provider(**{"max_concurrent": 16, "failures": 3, "seconds": 30.0, **limits})


def claude(server: MessagesServer, of: Provider, **options: Any) -> MessagesModel:
    chosen = {"timeout": 5.0, "max_retries": 0, **options}
    return MessagesModel(api_key="klucz", base_url=server.url, model="m", shared=of, **chosen)


def ask(model: MessagesModel) -> str:
    return "".join(model.stream(system="Zasady", prompt="Ile?", max_tokens=9))


def fail(model: MessagesModel, times: int = 1) -> LLMError:
    for _ in range(times):
        with pytest.raises(LLMError) as caught:
            ask(model)
    return caught.value


@pytest.mark.parametrize("turn", [BROKEN, OVERLOADED, RATE_LIMITED, replace(GOOD, ending="cut")])
def test_after_three_failures_in_a_row_the_server_is_left_alone(turn):
    with MessagesServer(turn) as server:
        error = fail(claude(server, shared()), times=5)
        assert len(server.requests) == 3
    assert isinstance(error, LLMUnavailable)
    with translation.override("en"):
        assert "30 s" in str(error.remedy)


def test_a_dead_server_costs_one_timeout_and_not_one_per_question():
    with MessagesServer(Turn(wait=60.0)) as server:
        model = claude(server, shared(failures=1), timeout=0.4)
        fail(model, times=10)
        assert len(server.requests) == 1
        assert server.finished == 0


def test_clients_of_one_server_share_what_they_learn():
    with MessagesServer(BROKEN) as server:
        of = shared()
        fail(claude(server, of), times=3)
        fail(claude(server, of))
        assert len(server.requests) == 3
        assert provider(server.url) is provider(server.url) is not provider("http://inny.example")


def test_after_the_pause_one_question_sees_whether_it_is_back():
    with MessagesServer(BROKEN, BROKEN, GOOD) as server:
        model = claude(server, shared(failures=2, seconds=0.3))
        fail(model, times=3)
        time.sleep(0.35)
        assert ask(model) == ask(model) == "Tak."
        assert len(server.requests) == 4


def test_a_probe_that_fails_begins_another_pause():
    with MessagesServer(BROKEN) as server:
        model = claude(server, shared(failures=2, seconds=0.3))
        fail(model, times=2)
        time.sleep(0.35)
        fail(model, times=4)
        assert len(server.requests) == 3


@pytest.mark.parametrize("between", [GOOD, REFUSED])
def test_an_answer_of_the_server_ends_the_row(between):
    with MessagesServer(BROKEN, BROKEN, between, BROKEN, BROKEN, GOOD) as server:
        model = claude(server, shared())
        fail(model, times=2)
        if between is GOOD:
            ask(model)
        else:
            assert isinstance(fail(model), LLMRejected)
        fail(model, times=2)
        assert ask(model) == "Tak."


def test_a_reader_who_leaves_says_nothing_about_the_server():
    slow = Turn(pieces=("słowo ",) * 50, pause=0.02)
    with MessagesServer(BROKEN, BROKEN, slow, BROKEN) as server:
        model = claude(server, shared())
        fail(model, times=2)
        with closing(iter(model.stream(system="Zasady", prompt="Ile?", max_tokens=9))) as pieces:
            next(pieces)
        fail(model, times=3)
        assert len(server.requests) == 4


def test_short_steps_that_are_late_do_not_give_up_a_server_that_answers_slowly():
    with MessagesServer(Turn(pieces=('{"yes": true}',), wait=0.6)) as server:
        model = claude(server, shared(failures=1))
        for _ in range(2):
            with pytest.raises(LLMUnavailable):
                model.structured(system="Zasady", prompt="Ile?", schema=Yes, max_tokens=9, timeout=0.3)
        time.sleep(0.5)
        assert ask(model) == '{"yes": true}'


def test_short_steps_that_cannot_even_connect_do_give_it_up():
    of = shared(failures=1)
    model = MessagesModel(api_key="klucz", base_url="http://127.0.0.1:9", model="m", shared=of)
    for _ in range(2):
        with pytest.raises(LLMUnavailable) as caught:
            model.structured(system="Zasady", prompt="Ile?", schema=Yes, max_tokens=9, timeout=3.0)
    with translation.override("en"):
        assert "several times" in caught.value.message


def together(count: int, call: Callable[[], Any]) -> None:
    threads = [threading.Thread(target=call) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_more_requests_than_allowed_run_at_once():
    with MessagesServer(replace(GOOD, together=2, wait=0.2)) as server:
        model = claude(server, shared(max_concurrent=2), timeout=60.0)
        answers: list[str] = []
        together(6, lambda: answers.append(ask(model)))
        assert server.most_at_once == 2
    assert answers == ["Tak."] * 6


def test_who_waits_too_long_for_a_place_is_told_so():
    with MessagesServer(replace(GOOD, pieces=("Tak", "."), pause=0.6)) as server:
        of = shared(max_concurrent=1)
        patient, hurried = claude(server, of), claude(server, of, timeout=0.2)
        with closing(iter(patient.stream(system="Zasady", prompt="Ile?", max_tokens=9))) as pieces:
            next(pieces)
            error = fail(hurried)
        assert ask(patient) == "Tak."
    with translation.override("en"):
        assert "at once" in error.message


def test_a_probe_that_is_broken_off_leaves_the_next_one_to_see():
    now = [0.0]
    breaker = CircuitBreaker(failures=1, seconds=10.0, refusal=TooSoon, clock=lambda: now[0])
    with pytest.raises(ValueError), breaker.watch(is_failure=lambda error: True):  # noqa: PT011
        raise ValueError
    now[0] = 11.0
    with pytest.raises(GeneratorExit), breaker.watch(is_failure=lambda error: True):  # noqa: PT012
        with pytest.raises(TooSoon), breaker.watch(is_failure=lambda error: True):
            pass
        raise GeneratorExit
    with breaker.watch(is_failure=lambda error: True):
        pass
    breaker.check()
