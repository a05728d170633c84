"""Django's ASGI handler with the middlewares and the view in one thread.

Middlewares are synchronous, and so are nearly all views. Django's own handler goes into the request's thread for each
half of each of them and back to the event loop, some 15 times a request; under load every change waits for the
interpreter's lock.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase

_MOST_IDLE = 20


class OneThreadHandler(ASGIHandler):
    """A thread waits for the next request when it has done one, instead of ending with it.

    An asynchronous view runs in the event loop, as before; so does the body of a streamed response.
    """

    def __init__(self) -> None:
        super().__init__()
        self._idle: list[ThreadPoolExecutor] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await super().__call__(scope, receive, send)
        finally:
            thread.submit(self._rest, thread)  # behind what a reader who has gone left running

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response)(request)

    def _rest(self, thread: ThreadPoolExecutor) -> None:
        if len(self._idle) < _MOST_IDLE:
            self._idle.append(thread)
        else:
            thread.shutdown(wait=False)
