from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from ingestion.selectors import may_write_for, visible_collections
from knowledgetree.http.resources import IF_MATCH, ResourceView
from knowledgetree.http.visible_rows import VisibleRowField
from knowledgetree.problems import problems
from rag.models import EvaluationDataset
from rag.selectors import visible_datasets
from rag.services.judging import create_dataset


class EvaluationSetSerializer(serializers.ModelSerializer[EvaluationDataset]):
    """With a `collection` retrieval is measured there; without one the answers that an anonymous reader gets."""

    collection = VisibleRowField(
        visible_collections, model=Collection, slug_field="slug", allow_null=True, required=False
    )
    questions = serializers.IntegerField(source="asked", read_only=True, help_text="How many it has.")

    class Meta:
        model = EvaluationDataset
        fields = ["id", "name", "description", "collection", "questions", "created", "modified"]
        read_only_fields = ["id", "created", "modified"]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        viewer = self.context["request"].user
        if self.instance is not None:
            refuse_public(viewer, self.instance.collection)
        if self.instance is None or "collection" in attrs:
            refuse_public(viewer, attrs.get("collection"))
        return attrs

    def create(self, validated_data: dict[str, Any]) -> EvaluationDataset:
        return create_dataset(**validated_data)


def refuse_public(viewer: Viewer, collection: Collection | None) -> None:
    """Raises PermissionDenied: a set without a collection is no key's that is for chosen collections."""
    if not may_write_for(viewer, collection):
        raise PermissionDenied(_("This API key is for chosen collections alone."))


def counted_sets(viewer: Viewer) -> QuerySet[Any]:
    """Those that `viewer` may see, with their number of questions."""
    return visible_datasets(viewer).annotate(asked=Count("questions")).order_by("name")  # type: ignore[arg-type]


class EvaluationSetListView(ListAPIView[EvaluationDataset]):
    scopes = {"GET": "evaluate", "POST": "evaluate"}
    editor_permissions = {"GET": "rag.view_evaluationdataset", "POST": "rag.add_evaluationdataset"}
    serializer_class = EvaluationSetSerializer
    queryset = EvaluationDataset.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return counted_sets(self.request.user)

    @extend_schema(summary="Evaluation sets", responses={200: EvaluationSetSerializer(many=True), **problems(403)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Make an empty evaluation set",
        description="Editors only. Its questions are added one by one.",
        responses={201: EvaluationSetSerializer, **problems(400, 403)},
    )
    def post(self, request: Request) -> Response:
        given = self.get_serializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = counted_sets(request.user).get(pk=given.save().pk)
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)


class EvaluationSetView(ResourceView[EvaluationDataset]):
    scopes = {"GET": "evaluate", "PATCH": "evaluate", "DELETE": "evaluate"}
    editor_permissions = {
        "GET": "rag.view_evaluationdataset",
        "PATCH": "rag.change_evaluationdataset",
        "DELETE": "rag.delete_evaluationdataset",
    }
    serializer_class = EvaluationSetSerializer
    queryset = EvaluationDataset.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return counted_sets(self.request.user)

    @extend_schema(summary="One evaluation set", responses={200: EvaluationSetSerializer, **problems(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        return self.show()

    @extend_schema(
        summary="Change an evaluation set",
        description="Editors only. Runs keep the name under which they were measured.",
        parameters=[IF_MATCH],
        responses={200: EvaluationSetSerializer, **problems(400, 403, 404, 412)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete an evaluation set with its questions",
        description="Editors only. Its runs stay, for superusers.",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 412)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        return self.remove(self._delete_set)

    def _delete_set(self, dataset: EvaluationDataset) -> None:
        refuse_public(self.request.user, dataset.collection)
        dataset.delete()
