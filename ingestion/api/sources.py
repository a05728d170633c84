from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.api.pagination import Pages
from ingestion.api.permissions import EditorPermission
from ingestion.api.serializers import JobSerializer
from ingestion.models import Collection, Source, SyncReport
from ingestion.models.sources import Viewer
from ingestion.selectors import visible_collections
from ingestion.services.sources import start_sync
from knowledgetree.problems import problems


class SourceSerializer(serializers.ModelSerializer[Source]):
    """`last_result` has numbers by outcome: new, changed, restored, unchanged, gone, failed, skipped."""

    collection = serializers.SlugRelatedField[Collection](slug_field="slug", read_only=True)

    class Meta:
        model = Source
        fields = [
            "id", "collection", "kind", "name", "location", "include", "exclude", "category", "tags", "language",
            "gone_policy", "rhythm", "schedule", "last_synced", "last_result",
        ]  # fmt: skip
        read_only_fields = fields


class SyncReportSerializer(serializers.ModelSerializer[SyncReport]):
    """`lists` has the first addresses of each outcome: {uri, detail, document}."""

    class Meta:
        model = SyncReport
        fields = ["id", "status", "started", "finished", "counts", "lists", "error"]
        read_only_fields = fields


def _sources(viewer: Viewer) -> QuerySet[Source]:
    return Source.objects.filter(collection__in=visible_collections(viewer)).select_related("collection")


@extend_schema(summary="Sources", responses={200: SourceSerializer(many=True), **problems(403)})
class SourceListView(ListAPIView[Source]):
    editor_permissions = {"GET": "ingestion.view_source"}
    permission_classes = [EditorPermission]
    serializer_class = SourceSerializer
    pagination_class = Pages
    queryset = Source.objects.none()

    def get_queryset(self) -> QuerySet[Source]:
        return _sources(self.request.user)


@extend_schema(summary="One source", responses={200: SourceSerializer, **problems(403, 404)})
class SourceDetailView(RetrieveAPIView[Source]):
    editor_permissions = {"GET": "ingestion.view_source"}
    permission_classes = [EditorPermission]
    serializer_class = SourceSerializer
    queryset = Source.objects.none()

    def get_queryset(self) -> QuerySet[Source]:
        return _sources(self.request.user)


@extend_schema(
    summary="The last synchronisations of a source, newest first",
    responses={200: SyncReportSerializer(many=True), **problems(403, 404)},
)
class SyncReportListView(ListAPIView[SyncReport]):
    editor_permissions = {"GET": "ingestion.view_source"}
    permission_classes = [EditorPermission]
    serializer_class = SyncReportSerializer
    pagination_class = Pages
    queryset = SyncReport.objects.none()

    def get_queryset(self) -> QuerySet[SyncReport]:
        source = get_object_or_404(_sources(self.request.user), pk=self.kwargs["pk"])
        return SyncReport.objects.filter(source=source)


class SyncView(APIView):
    editor_permissions = {"POST": "ingestion.change_source"}
    permission_classes = [EditorPermission]

    @extend_schema(
        summary="Synchronise a source now",
        description="Editors only. One that waits or runs already is returned instead of a second one.",
        request=None,
        responses={202: JobSerializer, **problems(403, 404, 422)},
    )
    def post(self, request: Request, pk: int, **kwargs: Any) -> Response:
        job = start_sync(source=get_object_or_404(_sources(request.user), pk=pk))
        return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)
