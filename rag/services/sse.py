"""Events of the pipeline as server-sent events, over ASGI.

The pipeline is synchronous and waits for the database and the language model, so it runs in a thread of its
own, with its own database connection; the event loop only moves finished text and holds none meanwhile.
"""

import asyncio
import contextvars
import json
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping
from contextlib import suppress
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import translation

from knowledgetree.long_work import ClientGone
from knowledgetree.postgres.connections import borrowed_connections
from rag.events import Event, went_wrong
from rag.types import as_json

KEEP_ALIVE_SECONDS = 15.0
_logger = logging.getLogger("knowledgetree.chat")

Encode = Callable[[Event], bytes]
"""The bytes of an event, none for those that a reader does not get."""


class EventStreamResponse(StreamingHttpResponse):
    """Sends `events` as they come, written by `encode`."""

    def __init__(self, events: Iterable[Event], *, encode: Encode, language: str) -> None:
        messages = event_stream(events, encode=encode, language=language)
        super().__init__(messages, content_type="text/event-stream; charset=utf-8")
        self.headers["Cache-Control"] = "no-cache"
        self.headers["X-Accel-Buffering"] = "no"


def event_stream(
    events: Iterable[Event], *, encode: Encode, language: str = "pl", keep_alive: float = KEEP_ALIVE_SECONDS
) -> AsyncGenerator[bytes, None]:
    """Encoded events, the first bytes at once; when the reader goes, `events` is closed at its next one.

    The pipeline runs in `language` and in the caller's context: the middleware that set trace id and language
    has been left by the time the stream is read.
    """
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()
    worker = _Worker(events, encode=encode, language=language, put=queue.put_nowait)
    return _messages(worker, queue, keep_alive)


async def _messages(
    worker: "_Worker", queue: "asyncio.Queue[bytes | None]", keep_alive: float
) -> AsyncGenerator[bytes, None]:
    yield b": open\n\n"
    worker.start(asyncio.get_running_loop())
    try:
        while True:
            try:
                message = await asyncio.wait_for(queue.get(), keep_alive)
            except TimeoutError:
                message = b": keep-alive\n\n"
            if message is None:
                return
            yield message
    finally:
        worker.reader_gone.set()


def encode(event: Event, html: str = "") -> bytes:
    """`event: NAME`, `data: JSON` of its fields and, where there is any, its `html`."""
    fields = as_json(event) | ({"html": html} if html else {})
    fields.pop("name", None)
    return encode_fields(event.name, fields)


def encode_fields(name: str, fields: Mapping[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(fields, ensure_ascii=False, default=str)}\n\n".encode()


class _Worker:
    """Runs the pipeline in a thread and hands encoded events to the event loop, None after the last one."""

    def __init__(
        self, events: Iterable[Event], *, encode: Encode, language: str, put: Callable[[bytes | None], None]
    ) -> None:
        self.reader_gone = threading.Event()
        self._events = events
        self._encode = encode
        self._language = language
        self._put = put
        self._context = contextvars.copy_context()

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        thread = threading.Thread(target=self._context.run, args=(self._run,), name="answer", daemon=True)
        thread.start()

    def _run(self) -> None:
        try:
            with borrowed_connections(), translation.override(self._language):
                self._send_all()
        finally:
            self._send(None)

    def _send_all(self) -> None:
        try:
            for event in self._events:
                if self.reader_gone.is_set():
                    break
                self._send(self._encode(event))
        except ClientGone:
            pass
        except Exception:
            _logger.exception("the stream of an answer broke off")
            self._send(self._encode(went_wrong()))
        finally:
            if isinstance(self._events, Generator):
                self._events.close()

    def _send(self, message: bytes | None) -> None:
        if message == b"":
            return
        with suppress(RuntimeError):  # the loop is closed: the server stops
            self._loop.call_soon_threadsafe(self._put, message)
