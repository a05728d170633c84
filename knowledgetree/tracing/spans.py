"""Spans: one that lasts as long as a block, as a stream of events, or until somebody ends it."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from knowledgetree.tracing.provider import tracer

if TYPE_CHECKING:
    from opentelemetry.context import Context

E = TypeVar("E")
Value = str | int | float | bool
Kind = Literal["internal", "server", "client", "consumer"]


class OpenSpan:
    """A span under way, or, where nothing is traced, none (this class itself)."""

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Never a text of a question or a document: see TRACE_TEXTS."""

    def rename(self, name: str) -> None:
        """What it is called becomes known late."""

    def fail(self, reason: str) -> None:
        """It did not come to its end, for a reason without texts: a code or the name of an exception."""

    def end(self) -> None:
        """At most once."""


class _RecordedSpan(OpenSpan):
    def __init__(self, name: str, attributes: Mapping[str, Value], kind: Kind, parent: "Context | None") -> None:
        from opentelemetry import context, trace

        self._outer = context.get_current()
        self._span: Any = tracer().start_span(  # type: ignore[union-attr]
            name, context=parent, kind=trace.SpanKind[kind.upper()], attributes=attributes
        )
        context.attach(trace.set_span_in_context(self._span))  # no token: a generator may end in another context

    def note(self, attributes: Mapping[str, Value]) -> None:
        self._span.set_attributes(attributes)

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def fail(self, reason: str) -> None:
        from opentelemetry.trace import StatusCode

        self._span.set_attribute("error.type", reason)
        self._span.set_status(StatusCode.ERROR)

    def end(self) -> None:
        from opentelemetry import context, trace

        self._span.end()
        if trace.get_current_span() is self._span:
            context.attach(self._outer)


_NO_SPAN = OpenSpan()


def begin_span(
    name: str, attributes: Mapping[str, Value] | None = None, *, kind: Kind = "internal", parent: str = ""
) -> OpenSpan:
    """What is begun from now on, here and in threads that get this context, is its child, until it ends.

    `parent`: a `traceparent` that came from elsewhere; without it the span under way is the parent.
    """
    if tracer() is None:
        return _NO_SPAN
    return _RecordedSpan(name, attributes or {}, kind, _from_elsewhere(parent) if parent else None)


@contextmanager
def span(
    name: str, attributes: Mapping[str, Value] | None = None, *, kind: Kind = "internal", parent: str = ""
) -> Iterator[OpenSpan]:
    """As `begin_span`, for as long as the block lasts. An exception fails it, by the name of its class."""
    opened = begin_span(name, attributes, kind=kind, parent=parent)
    try:
        yield opened
    except Exception as error:
        opened.fail(str(getattr(error, "code", "")) or type(error).__name__)
        raise
    finally:
        opened.end()


def in_span(
    name: str, events: Callable[[OpenSpan], Generator[E, None, None]], *, kind: Kind = "internal"
) -> Generator[E, None, None]:
    """The events, with a span from the first to the last; whoever reads them goes on in a context without it."""
    return events(_NO_SPAN) if tracer() is None else _spanned(name, events, kind)


def _spanned(name: str, events: Callable[[OpenSpan], Generator[E, None, None]], kind: Kind) -> Generator[E, None, None]:
    context = copy_context()
    opened = context.run(begin_span, name, kind=kind)
    inner = events(opened)
    try:
        while True:
            try:
                event = context.run(next, inner)
            except StopIteration:
                return
            yield event
    except Exception as error:
        opened.fail(type(error).__name__)
        raise
    finally:
        context.run(inner.close)
        context.run(opened.end)


def record_span(name: str, seconds: float) -> None:
    """One that has just ended and took so long; none where no other is under way."""
    if (made := tracer()) is None or not current_traceparent():
        return
    now = time.time_ns()
    made.start_span(name, start_time=now - int(seconds * 1e9)).end(now)


def note_on_span(attributes: Mapping[str, Value]) -> None:
    """On the one under way here, if there is any."""
    if tracer() is None:
        return
    from opentelemetry import trace

    trace.get_current_span().set_attributes(attributes)


def current_traceparent() -> str:
    """The span under way as W3C Trace Context writes it; "" where there is none."""
    if tracer() is None:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent", "")


def _from_elsewhere(traceparent: str) -> "Context":
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": traceparent})
