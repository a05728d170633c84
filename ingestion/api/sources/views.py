from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.api.serializers import JobSerializer
from ingestion.api.sources.fields import SourceSerializer
from ingestion.models import Source, SyncReport
from ingestion.selectors import visible_sources
from ingestion.services.sources import delete_source, start_sync
from knowledgetree.http.resources import IF_MATCH, ResourceView
from knowledgetree.problems import problems


class SyncReportSerializer(serializers.ModelSerializer[SyncReport]):
    """`lists` has the first addresses of each outcome: {uri, detail, document}; under `unknown` those whom the place
    names as readers and nobody knows here.
    """

    class Meta:
        model = SyncReport
        fields = ["id", "status", "dry", "started", "finished", "counts", "lists", "error"]
        read_only_fields = fields


class WishSerializer(serializers.Serializer[Any]):
    """`dry`: only try it."""

    dry = serializers.BooleanField(default=False)


class SourceListView(ListAPIView[Source]):
    scopes = {"GET": "documents:read", "POST": "admin"}
    editor_permissions = {"GET": "ingestion.view_source", "POST": "ingestion.add_source"}
    serializer_class = SourceSerializer
    queryset = Source.objects.none()

    def get_queryset(self) -> QuerySet[Source]:
        return visible_sources(self.request.user)

    @extend_schema(summary="Sources", responses={200: SourceSerializer(many=True), **problems(403)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Add a source",
        description="Editors only. It is synchronised at once, and then in its rhythm.",
        responses={201: SourceSerializer, **problems(400, 403)},
    )
    def post(self, request: Request) -> Response:
        given = self.get_serializer(data=request.data)
        given.is_valid(raise_exception=True)
        given.save(owner_id=request.user.pk)
        return Response(given.data, status=status.HTTP_201_CREATED)


class SourceDetailView(ResourceView[Source]):
    scopes = {"GET": "documents:read", "PATCH": "admin", "DELETE": "admin"}
    editor_permissions = {
        "GET": "ingestion.view_source",
        "PATCH": "ingestion.change_source",
        "DELETE": "ingestion.delete_source",
    }
    serializer_class = SourceSerializer
    queryset = Source.objects.none()

    def get_queryset(self) -> QuerySet[Source]:
        return visible_sources(self.request.user)

    @extend_schema(summary="One source", responses={200: SourceSerializer, **problems(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        return self.show()

    @extend_schema(
        summary="Change a source",
        description="Editors only. Its documents get the new category, tags and language, but for those set by hand. "
        "Once documents came from it, its kind, location and collection stay.",
        parameters=[IF_MATCH],
        responses={200: SourceSerializer, **problems(400, 403, 404, 412)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete a source",
        description="Editors only. Its documents stay, as if they had been uploaded.",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 412)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        return self.remove(lambda source: delete_source(source=source))


@extend_schema(
    summary="The last synchronisations of a source, newest first",
    responses={200: SyncReportSerializer(many=True), **problems(403, 404)},
)
class SyncReportListView(ListAPIView[SyncReport]):
    scopes = {"GET": "documents:read"}
    editor_permissions = {"GET": "ingestion.view_source"}
    serializer_class = SyncReportSerializer
    queryset = SyncReport.objects.none()

    def get_queryset(self) -> QuerySet[SyncReport]:
        source = get_object_or_404(visible_sources(self.request.user), pk=self.kwargs["pk"])
        return SyncReport.objects.filter(source=source)


class SyncView(APIView):
    scopes = {"POST": "admin"}
    editor_permissions = {"POST": "ingestion.change_source"}

    @extend_schema(
        summary="Synchronise a source now",
        description="Editors only. One that waits or runs already is returned instead of a second one. With `dry` "
        "nothing is changed: its report says what a synchronisation would do, as far as a listing of the place tells.",
        request=WishSerializer,
        responses={202: JobSerializer, **problems(400, 403, 404, 422)},
    )
    def post(self, request: Request, pk: int, **kwargs: Any) -> Response:
        source = get_object_or_404(visible_sources(request.user), pk=pk)
        wish = WishSerializer(data=request.data)
        wish.is_valid(raise_exception=True)
        job = start_sync(source=source, dry=wish.validated_data["dry"])
        return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)
