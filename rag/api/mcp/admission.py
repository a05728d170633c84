"""Who calls a tool, and whether they may: the keys, scopes and limits of the REST API decide here too."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.urls import set_script_prefix
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from mcp.server.mcpserver.exceptions import ToolError
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from ingestion.models.api_keys import ANY_KEY
from ingestion.models.viewers import Viewer
from knowledgetree.audit.origin import entered
from knowledgetree.postgres.connections import borrowed_connections
from knowledgetree.problems import problem_response

LANGUAGE = "en"
"""Of what the tools tell a model about themselves and about its mistakes; answers are in the question's language."""

_call: ContextVar[ASGIRequest] = ContextVar("mcp_call")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCaller:
    """`absolute` makes the whole address of a path, as whoever calls can open it."""

    viewer: Viewer
    absolute: Callable[[str], str]


class MissingKey(NotAuthenticated):
    default_detail = _("Send an API key: Authorization: Bearer kt_…. An administrator makes one.")


class ToolAdmission(APIView):
    """A call as Django REST framework judges a request to a view that needs a key with this scope, and has its limit.

    Nobody is signed in by a session here: what reads sessions are middlewares of Django's own handler.
    """

    def __init__(self, scope: str = ANY_KEY) -> None:
        super().__init__()
        self.scopes = {"POST": scope}
        self.throttle_scope = scope

    def identify(self, call: HttpRequest) -> Request:
        """The request with its account and key. Raises MissingKey, and what is wrong with a key."""
        request = self.initialize_request(call)
        self.perform_authentication(request)
        if request.auth is None:
            raise MissingKey
        return request

    def admit(self, call: HttpRequest) -> Request:
        """The same, if the key has the scope; it is counted. Raises APIException."""
        request = self.identify(call)
        self.check_permissions(request)
        self.check_throttles(request)
        return request


@contextmanager
def call_from(scope: Mapping[str, Any]) -> Iterator[None]:
    """What is done in the body, and in tasks and threads begun there, is done for this HTTP request, an ASGI scope."""
    token = _call.set(ASGIRequest(scope, BytesIO()))
    try:
        yield
    finally:
        _call.reset(token)


@contextmanager
def call_in_hand() -> Iterator[ASGIRequest]:
    """The request that a thread works for. Django's language and prefix of addresses are each thread's own."""
    call = _call.get()
    set_script_prefix(call.script_name or "/")
    with borrowed_connections(), translation.override(LANGUAGE), entered("mcp", request=call):
        yield call


def check_key(call: HttpRequest) -> None:
    """Raises APIException where the request has no key that is valid now."""
    ToolAdmission().identify(call)


@contextmanager
def admit_call(scope: str) -> Iterator[ToolCaller]:
    """The body, which runs in a thread, works for whoever calls, if their key is for `scope`.

    Raises ToolError: what went wrong and what to do about it, for the model to read.
    """
    with call_in_hand() as call:
        try:
            request = ToolAdmission(scope).admit(call)
            yield ToolCaller(viewer=request.user, absolute=request.build_absolute_uri)
        except Exception as error:
            raise ToolError(told(error)) from error


def told(error: Exception) -> str:
    """A problem of the API in a line: what is wrong, in which field, what to do, and the code for programs."""
    problem = problem_response(error, {}).data
    fields = [f"{one['field']}: {one['detail']}" for one in problem.get("errors", ())]
    return " ".join(filter(None, [problem["detail"], *fields, problem["remedy"], f"(code: {problem['code']})"]))
