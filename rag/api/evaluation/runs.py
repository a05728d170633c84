from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.http.query_filters import read_filters
from knowledgetree.problems import problems
from rag.evaluation.measures.significance import compare_scores
from rag.models import EvaluationRun
from rag.selectors import visible_runs


class NotComparable(KnowledgeTreeError):
    """Two runs of different sets, or of different kinds."""

    code = "not_comparable"
    status = 400


class RunFiltersSerializer(serializers.Serializer[Any]):
    dataset = serializers.CharField(required=False, help_text="Name of a set.")
    kind = serializers.ChoiceField(EvaluationRun.Kind.choices, required=False)
    preset = serializers.CharField(required=False)


class EvaluationRunSerializer(serializers.ModelSerializer[EvaluationRun]):
    """`metrics`: {measure: mean}; `latency`: {stage: {percentile: milliseconds}}; `dataset` is the set's name."""

    class Meta:
        model = EvaluationRun
        fields = ["id", "dataset", "kind", "preset", "options", "metrics", "latency", "questions", "version", "created"]
        read_only_fields = fields


class EvaluationResultsSerializer(EvaluationRunSerializer):
    """`scores`: {question: {measure: score}}; `outcomes`, of answers alone: {question: what it came to}."""

    class Meta(EvaluationRunSerializer.Meta):
        fields = [*EvaluationRunSerializer.Meta.fields, "scores", "outcomes"]
        read_only_fields = fields


class DifferenceSerializer(serializers.Serializer[Any]):
    """Means over the `questions` that both runs have; `p` of a paired permutation test, two-sided."""

    measure = serializers.CharField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    change = serializers.FloatField()
    p = serializers.FloatField()
    significant = serializers.BooleanField(help_text="Whether the difference is hardly chance (p < 0.05).")
    better = serializers.IntegerField(help_text="Questions.")
    worse = serializers.IntegerField(help_text="Questions.")
    questions = serializers.IntegerField()


class ComparisonSerializer(serializers.Serializer[Any]):
    before = EvaluationRunSerializer()
    after = EvaluationRunSerializer()
    differences = DifferenceSerializer(many=True)


class ComparedWithSerializer(serializers.Serializer[Any]):
    before = serializers.IntegerField(
        min_value=1, required=False, help_text="Number of the earlier run. Left out: the last one before it."
    )


class EvaluationRunListView(ListAPIView[EvaluationRun]):
    scopes = {"GET": "evaluate"}
    editor_permissions = {"GET": "rag.view_evaluationrun"}
    serializer_class = EvaluationRunSerializer
    queryset = EvaluationRun.objects.none()

    def get_queryset(self) -> QuerySet[EvaluationRun]:
        given = read_filters(RunFiltersSerializer, self.request)
        return visible_runs(self.request.user).filter(**given).defer("scores", "outcomes")

    @extend_schema(
        summary="What evaluations came to, newest first",
        parameters=[RunFiltersSerializer],
        responses={200: EvaluationRunSerializer(many=True), **problems(400, 403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)


class EvaluationRunView(RetrieveAPIView[EvaluationRun]):
    scopes = {"GET": "evaluate"}
    editor_permissions = {"GET": "rag.view_evaluationrun"}
    serializer_class = EvaluationResultsSerializer
    queryset = EvaluationRun.objects.none()

    def get_queryset(self) -> QuerySet[EvaluationRun]:
        return visible_runs(self.request.user)

    @extend_schema(
        summary="What an evaluation came to, question by question",
        responses={200: EvaluationResultsSerializer, **problems(403, 404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.retrieve(request)


class ComparisonView(APIView):
    scopes = {"GET": "evaluate"}
    editor_permissions = {"GET": "rag.view_evaluationrun"}

    @extend_schema(
        summary="Whether a run is better than an earlier one",
        description="Two runs of one set and kind. The test is of pairs, question by question.",
        parameters=[ComparedWithSerializer],
        responses={200: ComparisonSerializer, **problems(400, 403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        runs = visible_runs(request.user)
        after = get_object_or_404(runs, pk=pk)
        before = _earlier(runs, after, read_filters(ComparedWithSerializer, request).get("before"))
        if (before.dataset, before.kind) != (after.dataset, after.kind):
            raise NotComparable(
                _("Only runs of the same set and kind can be compared."), remedy=_("Choose another earlier run.")
            )
        compared = {"before": before, "after": after, "differences": compare_scores(before.scores, after.scores)}
        return Response(ComparisonSerializer(compared).data)


def _earlier(runs: QuerySet[EvaluationRun], run: EvaluationRun, number: int | None) -> EvaluationRun:
    """Raises Http404 where there is none."""
    if number is not None:
        return get_object_or_404(runs, pk=number)
    found = runs.filter(dataset=run.dataset, kind=run.kind, pk__lt=run.pk).order_by("-pk").first()
    if found is None:
        raise Http404
    return found
