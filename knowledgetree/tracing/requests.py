"""A span a request. What a streamed answer does after its head was sent is a child that goes on longer."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from knowledgetree.logs import given_traceparent, trace_id
from knowledgetree.tracing.spans import OpenSpan, span


@sync_and_async_middleware
def span_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Behind `knowledgetree.logs.trace_middleware`, whose trace id it takes. Addresses may name what is private: the
    span has the route alone.
    """
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            with _span_of(request) as opened:
                return _noted(opened, request, await get_response(request))

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        with _span_of(request) as opened:
            return _noted(opened, request, get_response(request))

    return synchronous


def _span_of(request: HttpRequest) -> Any:
    attributes = {"http.request.method": request.method or "", "knowledgetree.trace_id": trace_id.get()}
    return span(str(request.method), attributes, kind="server", parent=given_traceparent(request))


def _noted(opened: OpenSpan, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    route = f"/{match.route}" if (match := request.resolver_match) else ""
    opened.note({"http.response.status_code": response.status_code, **({"http.route": route} if route else {})})
    opened.rename(f"{request.method} {route}".strip())
    if response.status_code >= 500:
        opened.fail(str(response.status_code))
    return response
