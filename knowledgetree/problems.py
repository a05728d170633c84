"""Every error of the API as `application/problem+json` (RFC 9457). The only place where errors meet HTTP."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db.utils import IntegrityError, InterfaceError, OperationalError
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import set_rollback

from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.http.json_body import BodyTooLarge
from knowledgetree.logs import trace_id

log = logging.getLogger("knowledgetree.api")

CONTENT_TYPE = "application/problem+json"


class FieldProblemSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text="Dotted path of the field in the request; empty: the request as a whole.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """What went wrong (`detail`), a stable `code` for programs, and a `remedy` for people."""

    type = serializers.CharField(help_text="`urn:knowledgetree:problem:` followed by the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    remedy = serializers.CharField(help_text="What to do about it; may be empty.")
    retryable = serializers.BooleanField(help_text="Whether the same request can succeed later.")
    trace_id = serializers.CharField(required=False, help_text="Of an unexpected error: what the log has it under.")
    errors = FieldProblemSerializer(many=True, required=False)  # type: ignore[assignment]


def problem_response(exc: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's EXCEPTION_HANDLER. An error that nobody expected goes to the log; its trace id goes to the client."""
    if isinstance(exc, KnowledgeTreeError):
        response = _response(
            exc.status, exc.code, str(exc.message), remedy=str(exc.remedy), retryable=exc.retryable, **exc.members
        )
    elif isinstance(exc, Http404):
        response = _from_api_exception(exceptions.NotFound())
    elif isinstance(exc, RequestDataTooBig):
        response = _from_api_exception(BodyTooLarge())
    elif isinstance(exc, SuspiciousOperation):
        response = _from_api_exception(exceptions.ParseError())
    elif isinstance(exc, PermissionDenied):
        response = _from_api_exception(exceptions.PermissionDenied())
    elif isinstance(exc, exceptions.APIException):
        response = _from_api_exception(exc)
    elif isinstance(exc, IntegrityError):
        log.warning("two requests wrote the same at once", exc_info=exc)
        response = _conflict()
    elif isinstance(exc, OperationalError | InterfaceError):
        log.error("the database cannot be reached", exc_info=exc)
        response = _database_missing()
    else:
        log.error("an API view failed", exc_info=exc)
        response = _unexpected()
    set_rollback()
    return response


def problems(*statuses: int) -> dict[tuple[int, str], type[ProblemSerializer]]:
    """The `responses` of drf-spectacular's `extend_schema` for these statuses."""
    return {(status, CONTENT_TYPE): ProblemSerializer for status in statuses}


def _from_api_exception(exc: exceptions.APIException) -> Response:
    errors = list(_field_problems(exc.detail)) if isinstance(exc, exceptions.ValidationError) else []
    wait = getattr(exc, "wait", None)
    response = _response(
        exc.status_code,
        exc.default_code,
        str(exc.default_detail if errors else exc.detail),
        retryable=isinstance(exc, exceptions.Throttled),
        errors=errors,
    )
    if wait is not None:
        response["Retry-After"] = str(int(wait))
    if header := getattr(exc, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response


def _unexpected() -> Response:
    trace = trace_id.get()
    remedy = _("Try again; if it happens again, give the administrator the number %(id)s.") % {"id": trace}
    return _response(
        500, "unexpected", _("Something went wrong on our side."), remedy=remedy, retryable=True, trace_id=trace
    )


def _conflict() -> Response:
    """Each was checked before it wrote, so only another one in between can have been first."""
    remedy = _("Read it again, then say what should be changed.")
    said = _("Somebody else wrote the same at this moment, so nothing was changed.")
    return _response(409, "conflict", said, remedy=remedy, retryable=True)


def _database_missing() -> Response:
    remedy = _("Nothing is lost. Try again in a moment.")
    response = _response(
        503, "database_unavailable", _("The database does not answer just now."), remedy=remedy, retryable=True
    )
    response["Retry-After"] = "10"
    return response


def _response(
    status: int,
    code: str,
    detail: str,
    *,
    remedy: str = "",
    retryable: bool = False,
    **members: Any,
) -> Response:
    """`members` that are empty are left out."""
    body = {
        "type": f"urn:knowledgetree:problem:{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "code": code,
        "detail": detail,
        "remedy": remedy,
        "retryable": retryable,
    }
    body |= {name: value for name, value in members.items() if value}
    return Response(body, status=status, content_type=CONTENT_TYPE)


def _field_problems(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten DRF's nested error detail: {"filters": {"tags": [e]}} gives one entry for `filters.tags`."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from _field_problems(inner, ".".join(filter(None, [path, own])))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _field_problems(inner, path)
    else:
        yield {"field": path, "code": str(getattr(detail, "code", "invalid")), "detail": str(detail)}
