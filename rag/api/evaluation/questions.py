from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.models.viewers import Viewer
from knowledgetree.http.resources import IF_MATCH, ResourceView
from knowledgetree.problems import problems
from rag.api.evaluation.sets import refuse_public
from rag.models import EvaluationDataset, EvaluationQuestion, Judgement
from rag.selectors import hidden_judgements, visible_datasets
from rag.services.judging import save_question

_BEST_GRADE = 100


class EvaluationQuestionSerializer(serializers.ModelSerializer[EvaluationQuestion]):
    """`documents`: {URI of a document that answers: grade}, the higher the better; those that the viewer may read.
    `expected_answer_contains`: several ways to say the same are parted by |, * stands for any ending, ! before what
    must not be there.
    """

    identifier = serializers.CharField(
        source="external_id",
        max_length=200,
        required=False,
        help_text="Results are kept under it. Left out it is made of the text.",
    )
    text = serializers.CharField(max_length=2000)
    expected_answer_contains = serializers.ListField(child=serializers.CharField(max_length=500), required=False)
    documents = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=_BEST_GRADE), required=False
    )

    class Meta:
        model = EvaluationQuestion
        fields = [
            "id", "dataset", "identifier", "text", "kind", "answerable", "expected_answer",
            "expected_answer_contains", "documents",
        ]  # fmt: skip
        read_only_fields = ["id", "dataset"]
        validators: list[Any] = []  # said below: the framework's own wants the set among the fields

    def to_representation(self, instance: EvaluationQuestion) -> dict[str, Any]:
        instance.documents = {one.document: one.grade for one in instance.judgements.all()}  # type: ignore[attr-defined]
        return super().to_representation(instance)

    def validate_identifier(self, identifier: str) -> str:
        same = EvaluationQuestion.objects.filter(dataset=self._dataset(), external_id=identifier).first()
        if same and same != self.instance:
            raise serializers.ValidationError(_("Another question of the set has this identifier."), code="unique")
        return identifier

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        refuse_public(self.context["request"].user, self._dataset().collection)
        return attrs

    def create(self, validated_data: dict[str, Any]) -> EvaluationQuestion:
        return self.update(EvaluationQuestion(dataset=self._dataset()), validated_data)

    def update(self, instance: EvaluationQuestion, validated_data: dict[str, Any]) -> EvaluationQuestion:
        grades = validated_data.pop("documents", None)
        for name, value in validated_data.items():
            setattr(instance, name, value)
        return save_question(question=instance, viewer=self.context["request"].user, grades=grades)

    def _dataset(self) -> EvaluationDataset:
        found: EvaluationDataset = self.instance.dataset if self.instance else self.context["dataset"]
        return found


def visible_questions(viewer: Viewer) -> QuerySet[EvaluationQuestion]:
    """Those of the sets that `viewer` may see, with the judgements of documents that they may read."""
    shown = Judgement.objects.exclude(pk__in=hidden_judgements(viewer).values("pk"))  # type: ignore[arg-type]
    questions = EvaluationQuestion.objects.filter(dataset__in=visible_datasets(viewer))  # type: ignore[arg-type]
    return questions.select_related("dataset__collection").prefetch_related(Prefetch("judgements", queryset=shown))


class EvaluationQuestionListView(ListAPIView[EvaluationQuestion]):
    """Who may change the set may change what is in it."""

    scopes = {"GET": "evaluate", "POST": "evaluate"}
    editor_permissions = {"GET": "rag.view_evaluationdataset", "POST": "rag.change_evaluationdataset"}
    serializer_class = EvaluationQuestionSerializer
    queryset = EvaluationQuestion.objects.none()

    def get_queryset(self) -> QuerySet[EvaluationQuestion]:
        return visible_questions(self.request.user).filter(dataset=self._dataset())

    def _dataset(self) -> EvaluationDataset:
        return get_object_or_404(visible_datasets(self.request.user), pk=self.kwargs["pk"])

    @extend_schema(
        summary="The questions of an evaluation set",
        responses={200: EvaluationQuestionSerializer(many=True), **problems(403, 404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Add a question to an evaluation set",
        description="Editors only. A document must be one that the editor may read and the set takes: of its "
        "collection, or of a public one where it has none.",
        responses={201: EvaluationQuestionSerializer, **problems(400, 403, 404)},
    )
    def post(self, request: Request, pk: int) -> Response:
        context = {**self.get_serializer_context(), "dataset": self._dataset()}
        given = EvaluationQuestionSerializer(data=request.data, context=context)
        given.is_valid(raise_exception=True)
        made = visible_questions(request.user).get(pk=given.save().pk)
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)


class EvaluationQuestionView(ResourceView[EvaluationQuestion]):
    scopes = {"GET": "evaluate", "PATCH": "evaluate", "DELETE": "evaluate"}
    editor_permissions = {
        "GET": "rag.view_evaluationdataset",
        "PATCH": "rag.change_evaluationdataset",
        "DELETE": "rag.change_evaluationdataset",
    }
    serializer_class = EvaluationQuestionSerializer
    queryset = EvaluationQuestion.objects.none()

    def get_queryset(self) -> QuerySet[EvaluationQuestion]:
        return visible_questions(self.request.user)

    @extend_schema(
        summary="One question of an evaluation set",
        responses={200: EvaluationQuestionSerializer, **problems(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        return self.show()

    @extend_schema(
        summary="Change a question of an evaluation set",
        description="Editors only. `documents` take the place of those that it has.",
        parameters=[IF_MATCH],
        responses={200: EvaluationQuestionSerializer, **problems(400, 403, 404, 412)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete a question of an evaluation set",
        description="Editors only. What runs measured with it stays in them.",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 412)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        return self.remove(self._delete_question)

    def _delete_question(self, question: EvaluationQuestion) -> None:
        refuse_public(self.request.user, question.dataset.collection)
        question.delete()
