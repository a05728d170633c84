"""What browsers are told on every response: nothing from outside, nothing inline.

`admin` alone may evaluate strings as scripts, which its widgets (Alpine) do, and place elements by their attributes.
"""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

_POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
_OF_THE_ADMIN = {"script-src": "'self' 'unsafe-eval'", "style-src": "'self'", "style-src-attr": "'unsafe-inline'"}


def _header(policy: dict[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in policy.items())


POLICY = _header(_POLICY)
ADMIN_POLICY = _header(_POLICY | _OF_THE_ADMIN)
PERMISSIONS = "camera=(), geolocation=(), microphone=()"


@sync_and_async_middleware
def headers_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """A view that sets a policy of its own keeps it."""
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            return _with_headers(request, await get_response(request))

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(request, get_response(request))

    return synchronous


def _with_headers(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    match = request.resolver_match
    policy = ADMIN_POLICY if match and match.app_name == "admin" else POLICY
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    return response
