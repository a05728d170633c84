"""Django's ASGI handler with the middlewares and the view in one thread.

Middlewares are synchronous, and so are nearly all views. Django's own handler goes into the request's thread for each
half of each of them and back to the event loop, some 15 times a request; under load every change waits for the
interpreter's lock.
"""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase

from knowledgetree.long_work import ClientGone, waiting_client

_MOST_IDLE = 20
_gone: ContextVar[threading.Event] = ContextVar("gone")


class OneThreadHandler(ASGIHandler):
    """A thread waits for the next request when it has done one, instead of ending with it.

    An asynchronous view runs in the event loop, as before; so does the body of a streamed response. What works for a
    client that has left learns it from `knowledgetree.long_work`: nothing else can stop a thread.
    """

    def __init__(self) -> None:
        super().__init__()
        self._idle: list[ThreadPoolExecutor] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")
        gone = threading.Event()
        _gone.set(gone)
        try:
            with waiting_client(gone.is_set):
                async with ThreadSensitiveContext(executor=thread):
                    await super().__call__(scope, receive, send)
        except BaseException:
            gone.set()
            raise
        finally:
            self._give_back(thread, is_busy=gone.is_set())
            gone.set()

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return await sync_to_async(self.get_response)(request)
        except ClientGone as error:
            raise asyncio.CancelledError from error

    async def listen_for_disconnect(self, receive: Any) -> None:
        try:
            await super().listen_for_disconnect(receive)
        except RequestAborted:
            _gone.get().set()
            raise

    def _give_back(self, thread: ThreadPoolExecutor, *, is_busy: bool) -> None:
        """A reader who has gone may have left something running: then the thread rests when that has ended."""
        if is_busy:
            thread.submit(self._rest, thread)
        else:
            self._rest(thread)

    def _rest(self, thread: ThreadPoolExecutor) -> None:
        if len(self._idle) < _MOST_IDLE:
            self._idle.append(thread)
        else:
            thread.shutdown(wait=False)
