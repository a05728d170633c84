from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.selectors import visible_collections
from knowledgetree.problems import problems
from rag.selectors.communities import shown_communities
from rag.types import as_json


class CommunityDocumentSerializer(serializers.Serializer[Any]):
    document_id = serializers.IntegerField()
    title = serializers.CharField()
    url = serializers.CharField()


class CommunitySentenceSerializer(CommunityDocumentSerializer):
    text = serializers.CharField()
    url = serializers.CharField(help_text="Opens the passage that the sentence rests on.")


class CommunitySerializer(serializers.Serializer[Any]):
    label = serializers.CharField(help_text="Its most telling words.")  # type: ignore[assignment]
    model = serializers.CharField(
        allow_blank=True, help_text="Language model that wrote the sentences; empty: they are extracts."
    )
    made = serializers.DateTimeField()
    sentences = CommunitySentenceSerializer(many=True)
    documents = CommunityDocumentSerializer(many=True, help_text="The most central first.")


class CommunitiesView(APIView):
    scopes = {"GET": "search"}

    @extend_schema(
        summary="The groups of documents of a collection, with their summaries",
        responses={200: CommunitySerializer(many=True), **problems(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        collection = get_object_or_404(visible_collections(request.user), slug=slug)
        found = [as_json(one) for one in shown_communities(request.user, collection)]
        return Response(CommunitySerializer(found, many=True).data)
