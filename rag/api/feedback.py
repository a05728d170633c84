from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.models.viewers import is_superuser
from knowledgetree.http.json_body import BoundedJSONParser
from knowledgetree.http.query_filters import read_filters
from knowledgetree.problems import problems
from rag.models import Exchange, Feedback
from rag.selectors import visible_feedback
from rag.services.feedback import LONGEST_COMMENT, judge, take_back


class FeedbackSerializer(serializers.Serializer[Any]):
    exchange = serializers.UUIDField(help_text="Of the answer, as the event `saved` and the answer itself name it.")
    verdict = serializers.ChoiceField(Feedback.Verdict.choices)
    reason = serializers.ChoiceField(
        Feedback.Reason.choices,
        default="",
        allow_blank=True,
        help_text="What is wrong; kept where the verdict is `bad`.",
    )
    comment = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_COMMENT, help_text="Takes the place of an earlier one."
    )


class GivenFeedbackSerializer(serializers.ModelSerializer[Feedback]):
    """What a reader thinks of an answer; `user` is null where nobody was signed in."""

    question = serializers.CharField(source="exchange.question")
    user = serializers.SlugRelatedField[User](slug_field="username", read_only=True, allow_null=True)

    class Meta:
        model = Feedback
        fields = ["exchange", "question", "verdict", "reason", "comment", "user", "created", "modified"]
        read_only_fields = fields


class FeedbackFiltersSerializer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(Feedback.Verdict.choices, required=False)
    reason = serializers.ChoiceField(Feedback.Reason.choices, required=False)


class FeedbackView(ListAPIView[Feedback]):
    scopes = {"GET": "admin", "POST": "ask"}
    throttle_scope = "feedback"
    parser_classes = [BoundedJSONParser]
    serializer_class = GivenFeedbackSerializer
    queryset = Feedback.objects.none()

    def get_queryset(self) -> QuerySet[Feedback]:
        return visible_feedback(self.request.user).filter(**read_filters(FeedbackFiltersSerializer, self.request))

    @extend_schema(
        summary="What readers think of answers, newest first",
        description="Superusers only, as all that people asked.",
        parameters=[FeedbackFiltersSerializer],
        responses={200: GivenFeedbackSerializer(many=True), **problems(400, 403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        if not is_superuser(request.user):
            raise PermissionDenied
        return self.list(request)

    @extend_schema(
        summary="Judge an answer, in place of an earlier judgement",
        description="Answers of one's own conversations and of shared ones, as far as one may see them.",
        request=FeedbackSerializer,
        responses={200: FeedbackSerializer, **problems(400, 404, 429)},
    )
    def post(self, request: Request) -> Response:
        given = FeedbackSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        try:
            kept = judge(viewer=request.user, session_key=request.session.session_key or "", **given.validated_data)
        except Exchange.DoesNotExist as error:
            raise Http404 from error
        return Response(as_kept(kept))


def as_kept(kept: Feedback) -> Any:
    """A judgement as its reader gave it."""
    said = {"verdict": kept.verdict, "reason": kept.reason, "comment": kept.comment}
    return FeedbackSerializer({"exchange": kept.exchange_id, **said}).data


class FeedbackDetailView(APIView):
    scopes = {"DELETE": "ask"}
    throttle_scope = "feedback"

    @extend_schema(
        summary="Take one's judgement of an answer back",
        description="Nothing happens where there was none.",
        responses={204: None, **problems(404, 429)},
    )
    def delete(self, request: Request, exchange: UUID) -> Response:
        try:
            take_back(exchange=exchange, viewer=request.user, session_key=request.session.session_key or "")
        except Exchange.DoesNotExist as error:
            raise Http404 from error
        return Response(status=204)
