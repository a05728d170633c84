from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledgetree.http.json_body import BoundedJSONParser
from knowledgetree.problems import problems
from rag.models import Exchange
from rag.services.gap_reports import LONGEST_COMMENT, report_gap


class GapReportSerializer(serializers.Serializer[Any]):
    exchange = serializers.UUIDField(help_text="Of the answer, as the event `saved` and the answer itself name it.")
    comment = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_COMMENT, help_text="What was expected to be found."
    )


class GapReportView(APIView):
    scopes = {"POST": "ask"}
    throttle_scope = "feedback"
    parser_classes = [BoundedJSONParser]

    @extend_schema(
        summary="Report that the documents lack an answer",
        description=(
            "For answers whose outcome is `not_found` or `not_certain`, once a reader and answer: a second report "
            "changes nothing and gives the first. Counted together with judgements."
        ),
        request=GapReportSerializer,
        responses={200: GapReportSerializer, **problems(400, 404, 429)},
    )
    def post(self, request: Request) -> Response:
        given = GapReportSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        session_key = request.session.session_key or ""
        try:
            kept = report_gap(viewer=request.user, session_key=session_key, **given.validated_data)
        except Exchange.DoesNotExist as error:
            raise Http404 from error
        return Response(GapReportSerializer({"exchange": kept.exchange_id, "comment": kept.comment}).data)
