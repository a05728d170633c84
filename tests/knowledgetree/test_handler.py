import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse
from django.urls import path
from pytest_django import Settings

from knowledgetree.handler import OneThreadHandler

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


urlpatterns = [path("sync", view), path("async", asynchronous_view), path("slow", slow_view)]


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
