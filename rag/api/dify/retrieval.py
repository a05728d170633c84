"""`POST /dify/retrieval`: passages of a collection, or of what an assistant searches, for an application of Dify."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from knowledgetree.http.json_body import BoundedJSONParser
from rag.api.dify.conditions import OPERATORS, MetadataCondition, filters_of
from rag.api.dify.problems import DifyProblemSerializer, MalformedAuthorization, UnknownKnowledge, dify_problem
from rag.search.links import address_of
from rag.selectors import offered_assistants
from rag.services.search import search_passages
from rag.types import Filters, Passage

_PROBLEMS = dict.fromkeys((400, 403, 404, 429), DifyProblemSerializer)
_SCHEME = "bearer"


class RetrievalSettingSerializer(serializers.Serializer[Any]):
    top_k = serializers.IntegerField(min_value=1, max_value=100)
    score_threshold = serializers.FloatField(min_value=0, max_value=1, default=0.0, allow_null=True)


class ConditionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="`category`, `tags`, `modified` and the like, or a key of the metadata.")
    comparison_operator = serializers.ChoiceField([(one, one) for one in OPERATORS])
    value = serializers.JSONField(required=False, allow_null=True, help_text="A text, a number or a list of texts.")

    def to_internal_value(self, data: Any) -> MetadataCondition:
        given = super().to_internal_value(data)
        return MetadataCondition(name=given["name"], operator=given["comparison_operator"], value=given.get("value"))


class MetadataConditionSerializer(serializers.Serializer[Any]):
    """What the filters of a search cannot say is refused."""

    logical_operator = serializers.ChoiceField(["and", "or"], default="and", allow_null=True)
    conditions = ConditionSerializer(many=True, required=False, allow_null=True)


class RetrievalSerializer(serializers.Serializer[Any]):
    knowledge_id = serializers.CharField(help_text="The identifier of a collection, or of an assistant.")
    query = serializers.CharField(max_length=2000)
    retrieval_setting = RetrievalSettingSerializer()
    metadata_condition = MetadataConditionSerializer(required=False, allow_null=True)


class RecordSerializer(serializers.Serializer[Any]):
    content = serializers.CharField()
    score = serializers.FloatField(help_text="Relevance, 0 to 1.")
    title = serializers.CharField()
    metadata = serializers.DictField(help_text="What is known of the document and of the place in it; never null.")


class RecordsSerializer(serializers.Serializer[Any]):
    records = RecordSerializer(many=True, help_text="Best first.")


class RetrievalView(APIView):
    scopes = {"POST": "search"}
    throttle_scope = "search"
    parser_classes = [BoundedJSONParser]

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response]:
        return dify_problem

    def perform_authentication(self, request: Request) -> None:
        """Raises MalformedAuthorization: there is no anonymous Dify."""
        scheme, _space, key = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != _SCHEME or not key.strip():
            raise MalformedAuthorization
        super().perform_authentication(request)

    @extend_schema(
        summary="Passages for Dify's external knowledge",
        description="In Dify the address of the API is that of this site with `/dify`.",
        request=RetrievalSerializer,
        responses={200: RecordsSerializer, **_PROBLEMS},
    )
    def post(self, request: Request) -> Response:
        asked = RetrievalSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given, wanted = asked.validated_data, asked.validated_data["retrieval_setting"]
        condition = given.get("metadata_condition") or {}
        filters = filters_of(condition.get("conditions") or (), either=condition.get("logical_operator") == "or")
        where = _knowledge(given["knowledge_id"], request.user, filters)
        result = search_passages(query=given["query"], viewer=request.user, top_k=wanted["top_k"], **where)
        least = wanted["score_threshold"] or 0.0
        found = [passage for passage in result.passages if passage.relevance >= least]
        return Response({"records": [_record(passage, request.build_absolute_uri) for passage in found]})


def _knowledge(identifier: str, viewer: Viewer, filters: Filters) -> dict[str, Any]:
    """What is searched, as arguments of a search. Raises UnknownKnowledge, alike for what is hidden from `viewer`."""
    if visible_collections(viewer).filter(slug=identifier).exists():
        return {"filters": replace(filters, collections=(identifier,))}
    if offered_assistants(viewer).filter(slug=identifier).exists():
        return {"filters": filters, "assistant": identifier}
    raise UnknownKnowledge(_("There is no collection and no assistant %(name)s.") % {"name": identifier})


def _record(passage: Passage, absolute: Callable[[str], str]) -> dict[str, Any]:
    known = {
        "url": absolute(address_of(passage)),
        "uri": passage.uri,
        "collection": passage.collection,
        "document_id": passage.document_id,
        "chunk_id": passage.chunk_id,
        "headings": " › ".join(passage.heading_path),
        "page": passage.page_start,
        "category": passage.category,
        "tags": list(passage.tags),
        "dated": passage.dated.isoformat() if passage.dated else None,
    }
    return {
        "content": passage.text,
        "score": passage.relevance,
        "title": passage.title,
        "metadata": {name: value for name, value in known.items() if value not in (None, "", [])},
    }
