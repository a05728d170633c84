"""Errors in the shape that Dify reads: a number and a sentence."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.response import Response

from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.problems import problem_response

_FORBIDDEN = 403


class MalformedAuthorization(APIException):
    status_code = _FORBIDDEN
    default_code = "malformed_authorization"
    default_detail = _("Invalid Authorization header: “Bearer” and an API key are expected.")


class UnknownKnowledge(KnowledgeTreeError):
    code = "unknown_knowledge"
    status = 404
    remedy = _("As its identifier in Dify write that of a collection or of an assistant.")


class DifyProblemSerializer(serializers.Serializer[Any]):
    error_code = serializers.IntegerField(
        help_text="1001: the header is malformed, 1002: the key does not open this, 2001: there is no such knowledge; "
        "otherwise the status."
    )
    error_msg = serializers.CharField()


def dify_problem(exc: Exception, context: Mapping[str, Any]) -> Response:
    """The same answer as elsewhere, in other words. A key that does not fit is 403: of the statuses that say so this is
    the one that Dify looks for when the connection is set up.
    """
    response = problem_response(exc, context)
    problem = response.data
    refused = response.status_code in (401, _FORBIDDEN)
    own = {MalformedAuthorization.default_code: 1001, UnknownKnowledge.code: 2001}
    number = own.get(problem["code"], 1002 if refused else response.status_code)
    told = [f"{error['field']}: {error['detail']}" for error in problem.get("errors", ())] or [problem["detail"]]
    response.data = {"error_code": number, "error_msg": " ".join(filter(None, [*told, problem["remedy"]]))}
    response.content_type = "application/json"
    if refused:
        response.status_code = _FORBIDDEN
    return response
