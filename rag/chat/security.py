"""The content security policy of the reader's pages: nothing from outside, nothing inline."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpResponseBase

POLICY = "; ".join(
    [
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)

SyncView = Callable[..., HttpResponseBase]
AsyncView = Callable[..., Awaitable[HttpResponseBase]]


def strict_policy(view: Any) -> Any:
    """A view, synchronous or not, whose responses carry the policy."""
    return _asynchronous(view) if iscoroutinefunction(view) else _synchronous(view)


def _synchronous(view: SyncView) -> SyncView:
    @wraps(view)
    def wrapped(*args: Any, **kwargs: Any) -> HttpResponseBase:
        return _with_policy(view(*args, **kwargs))

    return wrapped


def _asynchronous(view: AsyncView) -> AsyncView:
    @wraps(view)
    async def wrapped(*args: Any, **kwargs: Any) -> HttpResponseBase:
        return _with_policy(await view(*args, **kwargs))

    return wrapped


def _with_policy(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Security-Policy", POLICY)
    return response
