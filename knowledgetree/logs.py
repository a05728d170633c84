"""One JSON object a log line, each with the trace id of the request, job or command it belongs to."""

import json
import logging
import re
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
job_number: ContextVar[str] = ContextVar("job_number", default="")
"""Of the job that is being done here."""

# Of W3C Trace Context: version, trace id, the caller's span, flags. A trace of zeros is none.
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


def new_trace_id() -> str:
    return uuid.uuid4().hex


def trace_number() -> int:
    """The trace id as the number that it is; 0 where it is none, such as what a proxy called a request."""
    digits = trace_id.get().replace("-", "")
    return int(digits, 16) if re.fullmatch(r"[0-9a-fA-F]{32}", digits) else 0


@contextmanager
def traced(identifier: str = "", *, job: str = "") -> Iterator[str]:
    """Every log line written inside carries `identifier` (a new one if empty), and the number of the `job`."""
    tokens = trace_id.set(identifier or new_trace_id()), job_number.set(job)
    try:
        yield trace_id.get()
    finally:
        trace_id.reset(tokens[0])
        job_number.reset(tokens[1])


class JSONFormatter(logging.Formatter):
    """Fields passed as `extra={"fields": {...}}` become members of the object."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "trace_id": trace_id.get(),
            **({"job": number} if (number := job_number.get()) else {}),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


@sync_and_async_middleware
def trace_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Takes the trace id from the proxy (`traceparent`, X-Request-ID) or makes one, and returns it as X-Request-ID, so
    that a reader can quote it.
    """
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            with traced(_given(request)) as identifier:
                return _with_identifier(await get_response(request), identifier)

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        with traced(_given(request)) as identifier:
            return _with_identifier(get_response(request), identifier)

    return synchronous


def given_traceparent(request: HttpRequest) -> str:
    """The header `traceparent` where it is a whole one, else ""."""
    header = request.headers.get("traceparent", "").strip()
    return header if _TRACEPARENT.fullmatch(header) else ""


def trace_of(traceparent: str) -> str:
    """The trace id in a whole `traceparent`."""
    return traceparent.split("-")[1]


def _given(request: HttpRequest) -> str:
    if traceparent := given_traceparent(request):
        return trace_of(traceparent)
    return "".join(c for c in request.headers.get("X-Request-ID", "")[:64] if c.isalnum() or c in "-_")


def _with_identifier(response: HttpResponseBase, identifier: str) -> HttpResponseBase:
    response["X-Request-ID"] = identifier
    return response
