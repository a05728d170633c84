from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.models import Collection
from ingestion.models.api_keys import ANY_KEY
from ingestion.models.viewers import Viewer, is_bound
from ingestion.selectors import visible_collections
from knowledgetree.http.json_body import STORABLE_FIELDS
from knowledgetree.http.resources import IF_MATCH, ResourceView
from knowledgetree.http.visible_rows import VisibleRowField
from knowledgetree.problems import problems
from rag.models import Assistant
from rag.models.assistants import MOST_SUGGESTIONS
from rag.selectors import editable_assistants, offered_assistants
from rag.services.choice import assistant_troubles, save_assistant


class AssistantSerializer(serializers.ModelSerializer[Assistant]):
    preset = serializers.CharField(source="preset_name")

    class Meta:
        model = Assistant
        fields = ["slug", "name", "description", "preset", "suggestions"]


class AssistantSettingsSerializer(serializers.ModelSerializer[Assistant]):
    """`collections` that it searches, none: all that its reader may see; `parts` of its preset that it replaces."""

    serializer_field_mapping = STORABLE_FIELDS
    preset = serializers.CharField(
        source="preset_name", required=False, allow_blank=True, max_length=40, help_text="Empty: the default."
    )
    collections = VisibleRowField(visible_collections, model=Collection, slug_field="slug", many=True, required=False)

    class Meta:
        model = Assistant
        fields = [
            "slug", "name", "description", "collections", "preset", "parts", "instructions", "suggestions",
            "web_search", "enabled", "created",
        ]  # fmt: skip
        read_only_fields = ["created"]

    def validate_slug(self, slug: str) -> str:
        if self.instance and self.instance.slug != slug:
            raise serializers.ValidationError(_("The identifier of an assistant stays as it is."), code="settled")
        return slug

    def validate_suggestions(self, suggestions: list[str]) -> list[str]:
        if len(suggestions) > MOST_SUGGESTIONS:
            raise serializers.ValidationError(_("Write at most %(n)d.") % {"n": MOST_SUGGESTIONS})
        return suggestions

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        assistant = self.instance or Assistant()
        has = {name: attrs.get(name, getattr(assistant, name)) for name in ("preset_name", "parts")}
        if troubles := assistant_troubles(**has):
            raise serializers.ValidationError({name or "preset": said for name, said in troubles.items()})
        if "collections" in attrs or not assistant.pk:
            refuse_unbounded(self.context["request"].user, any_collection=not attrs.get("collections"))
        return attrs

    def create(self, validated_data: dict[str, Any]) -> Assistant:
        return self.update(Assistant(), validated_data)

    def update(self, instance: Assistant, validated_data: dict[str, Any]) -> Assistant:
        collections = validated_data.pop("collections", None)
        for name, value in validated_data.items():
            setattr(instance, name, value)
        return save_assistant(assistant=instance, collections=collections)


def refuse_unbounded(viewer: Viewer, *, any_collection: bool) -> None:
    """Raises PermissionDenied: an assistant that searches everything is not a key's that is for chosen collections."""
    if any_collection and is_bound(viewer):
        raise PermissionDenied(_("This API key is for chosen collections alone."))


class AssistantsView(APIView):
    scopes = {"GET": ANY_KEY, "POST": "admin"}
    editor_permissions = {"POST": "rag.add_assistant"}

    @extend_schema(summary="The assistants that the viewer can ask", responses=AssistantSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(AssistantSerializer(offered_assistants(request.user), many=True).data)

    @extend_schema(
        summary="Set up an assistant",
        description="Editors only. It never shows what its reader may not see.",
        request=AssistantSettingsSerializer,
        responses={201: AssistantSettingsSerializer, **problems(400, 403)},
    )
    def post(self, request: Request) -> Response:
        given = AssistantSettingsSerializer(data=request.data, context={"request": request})
        given.is_valid(raise_exception=True)
        given.save()
        return Response(given.data, status=status.HTTP_201_CREATED)


class AssistantDetailView(ResourceView[Assistant]):
    scopes = {"GET": "admin", "PATCH": "admin", "DELETE": "admin"}
    editor_permissions = {
        "GET": "rag.view_assistant",
        "PATCH": "rag.change_assistant",
        "DELETE": "rag.delete_assistant",
    }
    serializer_class = AssistantSettingsSerializer
    queryset = Assistant.objects.none()
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Assistant]:
        return editable_assistants(self.request.user).prefetch_related("collections")

    @extend_schema(
        summary="How an assistant is set up",
        description="Editors only. One of a collection that is closed to the editor is not there.",
        responses={200: AssistantSettingsSerializer, **problems(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.show()

    @extend_schema(
        summary="Change an assistant",
        description="Editors only. Its identifier stays.",
        parameters=[IF_MATCH],
        responses={200: AssistantSettingsSerializer, **problems(400, 403, 404, 412)},
    )
    def patch(self, request: Request, slug: str) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete an assistant",
        description="Editors only. What was said with it stays with its readers.",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 412)},
    )
    def delete(self, request: Request, slug: str) -> Response:
        return self.remove(self._delete_assistant)

    def changes_of(self, row: Assistant) -> serializers.BaseSerializer[Any]:
        refuse_unbounded(self.request.user, any_collection=not row.collections.exists())
        return super().changes_of(row)

    def _delete_assistant(self, assistant: Assistant) -> None:
        refuse_unbounded(self.request.user, any_collection=not assistant.collections.exists())
        assistant.delete()
