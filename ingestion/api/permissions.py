"""Who may do what. What a viewer may not see is 404, never 403: these rules only guard actions."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from ingestion.models import ApiKey
from ingestion.models.api_keys import ANY_KEY
from ingestion.models.viewers import is_editor

if TYPE_CHECKING:
    from rest_framework.views import APIView  # it reads the settings, which name this module


class ScopeMissing(APIException):
    status_code = 403
    default_code = "scope_missing"


def missing_scope(scope: str) -> ScopeMissing:
    return ScopeMissing(_("This API key is not for “%(scope)s”. Make one that is.") % {"scope": scope})


class EditorPermission(BasePermission):
    """Programs do what their key is for: a view names the scope of each method in `scopes`, what it does not name is
    for people alone. Methods in the view's `editor_permissions` are for staff with that permission; others are open.
    Raises ScopeMissing.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        _check_scope(request, view)
        required = getattr(view, "editor_permissions", {}).get(_named(request.method or ""))
        return required is None or is_editor(request.user, required)


def _check_scope(request: Request, view: "APIView") -> None:
    key = request.auth
    if not isinstance(key, ApiKey):
        return
    scope = scope_of(view, request.method or "")
    if scope is None:
        raise ScopeMissing(_("This is not open to API keys."))
    if scope != ANY_KEY and scope not in key.scopes:
        raise ScopeMissing(_("This API key is not for “%(scope)s”. Make one that is.") % {"scope": scope})


def scope_of(view: object, method: str) -> str | None:
    """What a key must be for; None where none is enough. A HEAD is a GET, and OPTIONS tell nothing of anybody's."""
    if method == "OPTIONS":
        return ANY_KEY
    scopes: dict[str, str] = getattr(view, "scopes", {})
    return scopes.get(_named(method))


def _named(method: str) -> str:
    """By which name views know it: the length of what a GET would say tells of it too."""
    return "GET" if method == "HEAD" else method
