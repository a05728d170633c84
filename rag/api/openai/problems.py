"""Errors in the shape that clients of this API read."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from knowledgetree.problems import problem_response

_TYPES = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}


class OpenAIErrorSerializer(serializers.Serializer[Any]):
    message = serializers.CharField()
    type = serializers.CharField()
    param = serializers.CharField(allow_null=True)
    code = serializers.CharField(allow_null=True)


class OpenAIProblemSerializer(serializers.Serializer[Any]):
    error = OpenAIErrorSerializer()


def openai_problem(exc: Exception, context: Mapping[str, Any]) -> Response:
    """The same answer as elsewhere, in other words; `param` is the first field that is wrong."""
    response = problem_response(exc, context)
    problem = response.data
    fields = [error["field"] for error in problem.get("errors", ())]
    told = [f"{error['field']}: {error['detail']}" for error in problem.get("errors", ())] or [problem["detail"]]
    response.data = error_body(
        " ".join(filter(None, [*told, problem["remedy"]])),
        status=response.status_code,
        code=problem["code"],
        param=fields[0] if fields else None,
    )
    response.content_type = "application/json"
    return response


def error_body(message: str, *, status: int, code: str, param: str | None = None) -> dict[str, Any]:
    kind = _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}
