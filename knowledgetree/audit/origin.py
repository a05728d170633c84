"""Where a deed comes from: the request that asked for it, and the door that it came in by."""

import ipaddress
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac
from rest_framework.throttling import BaseThrottle

from knowledgetree.conf import rag_settings

DOORS = (
    ("/admin/", "admin"),
    ("/api/widget/", "widget"),
    ("/api/", "api"),
    ("/dify/", "api"),
    ("/v1/", "openai"),
    ("/openwebui/", "openai"),
)
"""By how an address begins; every other one is a page. MCP stands beside Django (`rag.api.mcp.admission`)."""

_SESSION_CHARACTERS = 16
_NETWORKS = {4: 24, 6: 48}  # bits that are left of a shortened address: a provider's area, no household


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """`door` is one of `AuditEntry.Door`; `name` who sits at a terminal; `request` None for them."""

    door: str
    request: HttpRequest | None = None
    name: str = ""

    @property
    def user(self) -> Any:
        """Who asks, as far as is known by now: an API knows it later than a page. None where nobody signed in."""
        return getattr(self.request, "user", None)

    @property
    def session(self) -> str:
        """A hash of the browser session, for anonymous readers to be told apart; "" without one."""
        session = getattr(self.request, "session", None)
        return hashed_session(session.session_key or "") if session is not None else ""

    @property
    def address(self) -> str:
        if self.request is None:
            return ""
        return kept_address(BaseThrottle().get_ident(self.request), rag_settings().audit.addresses)  # type: ignore[arg-type]


origin: ContextVar[Origin | None] = ContextVar("origin", default=None)
"""None: the program does something by itself."""


@contextmanager
def entered(door: str, *, request: HttpRequest | None = None, name: str = "") -> Iterator[None]:
    """What is done inside comes in by this door. A thread that copies the context, as a stream's does, takes it."""
    token = origin.set(Origin(door=door, request=request, name=name))
    try:
        yield
    finally:
        origin.reset(token)


def origin_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], Any]:
    """Every request comes in by a door. Synchronous, as all requests are here (`knowledgetree.http.handler`)."""

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        door = next((door for beginning, door in DOORS if request.path_info.startswith(beginning)), "page")
        with entered(door, request=request):
            return get_response(request)

    return synchronous


def hashed_session(key: str) -> str:
    """Two of the same session are told to be so; the session itself is not found by it."""
    return salted_hmac("knowledgetree.audit", key).hexdigest()[:_SESSION_CHARACTERS] if key else ""


def kept_address(address: str, kept: str) -> str:
    """The address as the setting wants it kept: "full", "shortened" or "none". What is no address is not kept."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if kept == "shortened":
        return str(ipaddress.ip_network(f"{parsed}/{_NETWORKS[parsed.version]}", strict=False).network_address)
    return str(parsed) if kept == "full" else ""
