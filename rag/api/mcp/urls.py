"""What a program asks for that was refused: which keys open this server (RFC 9728, Protected Resource Metadata)."""

from django.http import HttpRequest, JsonResponse
from django.urls import get_script_prefix, path
from django.views.decorators.http import require_safe

from rag.api.mcp import PATH

_WELL_KNOWN = ".well-known/oauth-protected-resource"


@require_safe
def mcp_resource(request: HttpRequest) -> JsonResponse:
    """No authorization server is named: keys are made by people in the administration, and nowhere else."""
    metadata = {
        "resource": request.build_absolute_uri(f"{get_script_prefix().rstrip('/')}{PATH}"),
        "resource_name": "KnowledgeTree",
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["search", "ask"],
    }
    return JsonResponse(metadata, headers={"Access-Control-Allow-Origin": "*"})  # it tells of nobody


urlpatterns = [
    path(_WELL_KNOWN, mcp_resource, name="mcp_resource"),
    path(f"{_WELL_KNOWN}{PATH}", mcp_resource),
]
