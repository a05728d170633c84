from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.models import Job
from knowledgetree.problems import problems
from rag.api.evaluation.sets import refuse_public
from rag.evaluation.measuring import start_measurement
from rag.models import EvaluationRun, Measurement
from rag.presets import known_names
from rag.selectors import visible_datasets, visible_measurements

MOST_QUESTIONS = 10_000


class MeasurementRequestSerializer(serializers.Serializer[Any]):
    """What is measured, and how."""

    kind = serializers.ChoiceField(EvaluationRun.Kind.choices, help_text="Whole answers, or which documents are found.")
    preset = serializers.CharField(default="", allow_blank=True, max_length=40, help_text="Empty: the default.")
    limit = serializers.IntegerField(
        default=0, min_value=0, max_value=MOST_QUESTIONS, help_text="So many are drawn, each time the same; 0: all."
    )

    def validate_preset(self, preset: str) -> str:
        if preset and preset not in known_names():
            said = _("There is no preset %(name)s. Known: %(known)s.")
            raise serializers.ValidationError(said % {"name": preset, "known": ", ".join(known_names())})
        return preset


class MeasurementSerializer(serializers.ModelSerializer[Measurement]):
    """`run` is what came of it, null until it is done; `status`, `done`, `total` and the error are those of its job."""

    status = serializers.ChoiceField(Job.Status.choices, source="job.status")
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total")
    error_code = serializers.CharField(source="job.error_code")
    error_message = serializers.CharField(source="job.error_message")

    class Meta:
        model = Measurement
        fields = [
            "id", "dataset", "kind", "preset", "limit", "created", "job", "status", "done", "total", "error_code",
            "error_message", "run",
        ]  # fmt: skip
        read_only_fields = fields


class MeasureView(APIView):
    scopes = {"POST": "evaluate"}
    editor_permissions = {"POST": "rag.add_evaluationrun"}

    @extend_schema(
        summary="Have an evaluation set measured",
        description="Editors only, in the background. The same measurement that waits or runs already is returned "
        "instead of a second one. 400, `nothing_to_measure`, says what the set lacks.",
        request=MeasurementRequestSerializer,
        responses={202: MeasurementSerializer, **problems(400, 403, 404)},
    )
    def post(self, request: Request, pk: int) -> Response:
        dataset = get_object_or_404(visible_datasets(request.user), pk=pk)
        refuse_public(request.user, dataset.collection)
        given = MeasurementRequestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        begun = start_measurement(dataset=dataset, user=request.user, **given.validated_data)  # type: ignore[arg-type]
        return Response(MeasurementSerializer(begun).data, status=status.HTTP_202_ACCEPTED)


class MeasurementListView(ListAPIView[Measurement]):
    scopes = {"GET": "evaluate"}
    editor_permissions = {"GET": "rag.view_evaluationrun"}
    serializer_class = MeasurementSerializer
    queryset = Measurement.objects.none()

    def get_queryset(self) -> QuerySet[Measurement]:
        return visible_measurements(self.request.user)

    @extend_schema(
        summary="Measurements that were asked for, newest first",
        responses={200: MeasurementSerializer(many=True), **problems(403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)


class MeasurementView(RetrieveAPIView[Measurement]):
    scopes = {"GET": "evaluate"}
    editor_permissions = {"GET": "rag.view_evaluationrun"}
    serializer_class = MeasurementSerializer
    queryset = Measurement.objects.none()

    def get_queryset(self) -> QuerySet[Measurement]:
        return visible_measurements(self.request.user)

    @extend_schema(summary="How far a measurement is", responses={200: MeasurementSerializer, **problems(403, 404)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.retrieve(request)
