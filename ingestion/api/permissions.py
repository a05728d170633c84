"""Who may do what. What a viewer may not see is 404, never 403: these rules only guard actions."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from ingestion.models.viewers import is_editor


class EditorPermission(BasePermission):
    """Methods named in the view's `editor_permissions` are for staff with it; others are open."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        required = getattr(view, "editor_permissions", {}).get(request.method)
        return required is None or is_editor(request.user, required)
