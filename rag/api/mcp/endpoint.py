"""The server over HTTP: who may speak to it, from which pages, under which names."""

from typing import Any

import anyio.to_thread
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from mcp.server.transport_security import TransportSecuritySettings
from rest_framework.exceptions import MethodNotAllowed
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse

from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.http.json_body import MOST_BYTES
from knowledgetree.logs import traced
from knowledgetree.problems import CONTENT_TYPE, problem_response
from rag.api.mcp.admission import MissingKey, call_from, call_in_hand, check_key
from rag.api.mcp.server import mcp_server

_CHECKED_HERE = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""The SDK knows lists of hosts; ALLOWED_HOSTS may name a domain with all below it."""


class McpEndpoint:
    """Streamable HTTP without sessions: each request has its key and all that is needed to answer it.

    So any web process answers any request, and a key that is revoked opens nothing from the next one on.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        with call_from(scope), traced():
            refused = await anyio.to_thread.run_sync(refusal)
            await (refused or self._answer)(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        """With a session manager of its own, as nothing is kept for the next request: its tasks end with this one, no
        server needs a lifespan, and what breaks breaks alone.
        """
        server = mcp_server()
        server.streamable_http_app(
            stateless_http=True, transport_security=_CHECKED_HERE, max_request_body_size=MOST_BYTES
        )
        manager = server.session_manager
        async with manager.run():
            await manager.handle_request(scope, receive, send)


class ForeignPage(KnowledgeTreeError):
    code = "foreign_page"
    status = 403
    remedy = _("If they shall, an administrator adds their host to ALLOWED_HOSTS.")


class OwnPages(CORSMiddleware):
    """Pages of the hosts in ALLOWED_HOSTS may call; who comes from a page needs a key like everybody."""

    def is_allowed_origin(self, origin: str) -> bool:
        return is_own_origin(origin)


def refusal() -> JSONResponse | None:
    """Why the request in hand goes no further; None where it does."""
    with call_in_hand() as call:
        try:
            check_names(call)
            check_key(call)
            if call.method != "POST":
                raise MethodNotAllowed(str(call.method))
        except Exception as error:
            return _refused(error, call)
    return None


def check_names(call: HttpRequest) -> None:
    """Raises DisallowedHost and ForeignPage: by another name somebody's page would lead a browser here."""
    call.get_host()
    if (origin := call.headers.get("Origin")) and not is_own_origin(origin):
        raise ForeignPage(_("Pages of %(origin)s may not call this server.") % {"origin": origin[:200]})


def is_own_origin(origin: str) -> bool:
    host, _port = split_domain_port(origin.partition("://")[2])
    return validate_host(host, settings.ALLOWED_HOSTS)


def _refused(error: Exception, call: HttpRequest) -> JSONResponse:
    problem = problem_response(error, {})
    headers = {name: value for name, value in problem.items() if name != "Content-Type"}
    if problem.status_code == 401:
        headers["WWW-Authenticate"] = _challenge(call, invalid=not isinstance(error, MissingKey))
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = "POST"
    return JSONResponse(problem.data, status_code=problem.status_code, headers=headers, media_type=CONTENT_TYPE)


def _challenge(call: HttpRequest, *, invalid: bool) -> str:
    """Where a program finds what keys there are (RFC 9728); `invalid`: there was one, which is not."""
    metadata = call.build_absolute_uri(reverse("mcp_resource"))
    told = ', error="invalid_token"' if invalid else ""
    return f'Bearer realm="KnowledgeTree"{told}, resource_metadata="{metadata}"'


endpoint = OwnPages(
    McpEndpoint(), allow_methods=["POST"], allow_headers=["*"], expose_headers=["WWW-Authenticate", "Retry-After"]
)
