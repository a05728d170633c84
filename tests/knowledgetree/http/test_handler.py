import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse
from django.urls import path
from pytest_django import Settings

from knowledgetree.http.handler import OneThreadHandler
from knowledgetree.long_work import end_with_client, in_turn

seen: list[int] = []


def note(*args: object, **named: object) -> None:
    seen.append(threading.get_ident())


def noting(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    def noted(request: HttpRequest) -> Any:
        note()
        return get_response(request)

    return noted


def view(request: HttpRequest) -> HttpResponse:
    note()
    return HttpResponse("ok")


async def asynchronous_view(request: HttpRequest) -> HttpResponse:
    note()
    return HttpResponse("ok")


going, may_end = threading.Event(), threading.Event()


def slow_view(request: HttpRequest) -> HttpResponse:
    note()
    going.set()
    may_end.wait(10)
    return HttpResponse("ok")


steps, ended = Counter[str](), threading.Event()


def long_view(request: HttpRequest) -> HttpResponse:
    """Works for as long as somebody waits, and for a minute at most."""
    try:
        for _ in range(6000):
            steps["taken"] += 1
            going.set()
            end_with_client()
            ended.wait(0.01)
        return HttpResponse("ok")
    finally:
        ended.set()


def long_view_in_line(request: HttpRequest) -> HttpResponse:
    try:
        going.set()
        with in_turn():
            steps["turns"] += 1
        return HttpResponse("ok")
    finally:
        ended.set()


urlpatterns = [
    path("long", long_view),
    path("line", long_view_in_line),
    path("sync", view),
    path("async", asynchronous_view),
    path("slow", slow_view),
]


@pytest.fixture
def handler(settings: Settings) -> OneThreadHandler:
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = [*settings.MIDDLEWARE[:3], f"{__name__}.noting"]
    seen.clear()
    return OneThreadHandler()


async def get(handler: OneThreadHandler, address: str) -> int:
    sent: list[dict[str, Any]] = []
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": b""}
        return await asyncio.Future()  # the reader stays

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": address, "query_string": b"", "headers": [], "client": None}
    await handler(scope | {"server": ("localhost", 80)}, receive, send)
    return int(sent[0]["status"])


def test_a_request_stays_in_one_thread_from_its_first_signal_to_its_last(handler: OneThreadHandler) -> None:
    request_started.connect(note)
    request_finished.connect(note)
    try:
        assert asyncio.run(get(handler, "/sync")) == 200
    finally:
        request_started.disconnect(note)
        request_finished.disconnect(note)
    assert len(seen) == 4  # signal, middleware, view, signal
    assert len(set(seen)) == 1
    assert seen[0] != threading.main_thread().ident


def test_an_asynchronous_view_runs_in_the_event_loop(handler: OneThreadHandler) -> None:
    assert asyncio.run(get(handler, "/async")) == 200
    assert seen[1] == threading.main_thread().ident


def test_a_thread_waits_for_the_next_request(handler: OneThreadHandler) -> None:
    async def one_after_the_other() -> None:
        for _ in range(5):
            await get(handler, "/sync")
            await asyncio.sleep(0.05)

    asyncio.run(one_after_the_other())
    assert len(set(seen[1::2])) < 5


def test_requests_side_by_side_have_threads_of_their_own(handler: OneThreadHandler) -> None:
    going.clear()
    may_end.clear()

    async def side_by_side() -> None:
        slow = asyncio.create_task(get(handler, "/slow"))
        await asyncio.to_thread(going.wait, 10)
        assert await get(handler, "/sync") == 200
        may_end.set()
        assert await slow == 200

    asyncio.run(side_by_side())
    assert seen[1] != seen[3]


def test_a_thread_that_still_works_for_a_broken_off_request_is_not_lent(handler: OneThreadHandler) -> None:
    going.clear()
    may_end.clear()

    async def broken_off_then_asked() -> int:
        broken_off = asyncio.create_task(get(handler, "/slow"))
        await asyncio.to_thread(going.wait, 10)
        broken_off.cancel()
        await asyncio.wait([broken_off])
        status = await asyncio.wait_for(get(handler, "/sync"), 5)
        may_end.set()
        return status

    assert asyncio.run(broken_off_then_asked()) == 200
    assert seen[1] != seen[3]


async def leave(handler: OneThreadHandler, address: str) -> list[dict[str, Any]]:
    """Ask, and hang up when the view has begun. What was sent back."""
    messages = [{"type": "http.request", "body": b""}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await asyncio.to_thread(going.wait, 10)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": address, "query_string": b"", "headers": [], "client": None}
    await handler(scope | {"server": ("localhost", 80)}, receive, send)
    return sent


@pytest.fixture
def nothing_done_yet() -> None:
    going.clear()
    ended.clear()
    steps.clear()


@pytest.mark.usefixtures("nothing_done_yet")
def test_work_ends_with_its_client(handler: OneThreadHandler, caplog: pytest.LogCaptureFixture) -> None:
    assert asyncio.run(leave(handler, "/long")) == []
    assert ended.wait(60)
    assert 0 < steps["taken"] < 6000
    assert caplog.records == []  # a reader who leaves is no error


@pytest.mark.usefixtures("nothing_done_yet")
def test_who_has_left_does_not_wait_in_the_line(handler: OneThreadHandler) -> None:
    with in_turn():  # somebody else works
        assert asyncio.run(leave(handler, "/line")) == []
        assert ended.wait(60)
    assert steps["turns"] == 0


@pytest.mark.usefixtures("nothing_done_yet")
def test_work_goes_on_while_its_client_waits(handler: OneThreadHandler) -> None:
    assert asyncio.run(get(handler, "/line")) == 200
    assert steps["turns"] == 1
