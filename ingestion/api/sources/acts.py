"""What can be done with a source besides synchronising it."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.api.sources.fields import SourceSerializer
from ingestion.models import SourceAddress
from ingestion.selectors import visible_sources
from ingestion.services.sources import pause_source, resume_source
from ingestion.services.syncing.connecting import check_source
from ingestion.services.syncing.decisions import confirm_gone, keep_gone
from knowledgetree.problems import problems


class DecisionSerializer(serializers.Serializer[Any]):
    """`remove`: they are gone, so archive or erase the documents as the source says; `keep` them in service."""

    decision = serializers.ChoiceField(choices=["remove", "keep"])


class DecidedSerializer(serializers.Serializer[Any]):
    documents = serializers.IntegerField()


class _ActView(APIView):
    scopes = {"POST": "admin"}
    editor_permissions = {"POST": "ingestion.change_source"}


class PauseView(_ActView):
    @extend_schema(
        summary="Pause a source",
        description="Editors only. What is being read stops.",
        request=None,
        responses={200: SourceSerializer, **problems(403, 404)},
    )
    def post(self, request: Request, pk: int, **kwargs: Any) -> Response:
        source = get_object_or_404(visible_sources(request.user), pk=pk)
        pause_source(source=source)
        return Response(SourceSerializer(source).data)


class ResumeView(_ActView):
    @extend_schema(
        summary="End the pause of a source",
        description="Editors only. It is synchronised at once.",
        request=None,
        responses={200: SourceSerializer, **problems(403, 404, 422)},
    )
    def post(self, request: Request, pk: int, **kwargs: Any) -> Response:
        source = get_object_or_404(visible_sources(request.user), pk=pk)
        resume_source(source=source)
        return Response(SourceSerializer(source).data)


class ConnectionCheckView(_ActView):
    @extend_schema(
        summary="Look whether the place of a source can be listed",
        description="Editors only. Nothing is read. The problem says what is wrong, else there is nothing to say.",
        request=None,
        responses={204: None, **problems(400, 403, 404, 422, 502, 504)},
    )
    def post(self, request: Request, pk: int, **kwargs: Any) -> Response:
        check_source(get_object_or_404(visible_sources(request.user), pk=pk))
        return Response(status=204)


class GoneView(_ActView):
    @extend_schema(
        summary="Decide about the documents of a source that are gone there and wait",
        description="Editors only. All that wait now; in the admin each can be decided about alone.",
        request=DecisionSerializer,
        responses={200: DecidedSerializer, **problems(400, 403, 404)},
    )
    def post(self, request: Request, pk: int, **kwargs: Any) -> Response:
        source = get_object_or_404(visible_sources(request.user), pk=pk)
        given = DecisionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        waiting = SourceAddress.objects.filter(source=source, state=SourceAddress.State.WAITING).select_related(
            "source"
        )
        decide = confirm_gone if given.validated_data["decision"] == "remove" else keep_gone
        return Response({"documents": decide(addresses=waiting)})
