"""One JSON object a log line, each with the trace id of the request, job or command it belongs to."""

import json
import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

trace_id: ContextVar[str] = ContextVar("trace_id", default="-")


def new_trace_id() -> str:
    return uuid.uuid4().hex


@contextmanager
def traced(identifier: str = "") -> Iterator[str]:
    """Every log line written inside carries `identifier` (a new one if empty)."""
    token = trace_id.set(identifier or new_trace_id())
    try:
        yield trace_id.get()
    finally:
        trace_id.reset(token)


class JSONFormatter(logging.Formatter):
    """Fields passed as `extra={"fields": {...}}` become members of the object."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "trace_id": trace_id.get(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


@sync_and_async_middleware
def trace_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Takes X-Request-ID from the proxy or makes one, and returns it, so that a reader can quote it."""
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            with traced(_given(request)) as identifier:
                return _with_identifier(await get_response(request), identifier)

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        with traced(_given(request)) as identifier:
            return _with_identifier(get_response(request), identifier)

    return synchronous


def _given(request: HttpRequest) -> str:
    return "".join(c for c in request.headers.get("X-Request-ID", "")[:64] if c.isalnum() or c in "-_")


def _with_identifier(response: HttpResponseBase, identifier: str) -> HttpResponseBase:
    response["X-Request-ID"] = identifier
    return response
