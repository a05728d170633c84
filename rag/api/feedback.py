from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledgetree.http.json_body import BoundedJSONParser
from knowledgetree.problems import problems
from rag.models import Exchange, Feedback
from rag.services.feedback import LONGEST_COMMENT, judge


class FeedbackSerializer(serializers.Serializer[Any]):
    exchange = serializers.UUIDField(help_text="Of the answer, as the event `saved` and the answer itself name it.")
    verdict = serializers.ChoiceField(Feedback.Verdict.choices)
    comment = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_COMMENT, help_text="Takes the place of an earlier one."
    )


class FeedbackView(APIView):
    scopes = {"POST": "ask"}
    throttle_scope = "feedback"
    parser_classes = [BoundedJSONParser]

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
        answer = {"exchange": kept.exchange_id, "verdict": kept.verdict, "comment": kept.comment}
        return Response(FeedbackSerializer(answer).data)
