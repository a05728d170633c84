from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView

from ingestion.api.pagination import Pages
from ingestion.api.serializers import ChunkSerializer
from ingestion.library.privacy import is_masked
from ingestion.models import Chunk
from ingestion.selectors import open_chunks, open_documents
from knowledgetree.problems import problems


@extend_schema(
    summary="The chunks of a document, in reading order",
    description="Readers get the chunks that are searched; editors also those that were switched off.",
    responses={200: ChunkSerializer(many=True), **problems(404)},
)
class ChunkListView(ListAPIView[Chunk]):
    serializer_class = ChunkSerializer
    pagination_class = Pages
    queryset = Chunk.objects.none()

    def get_serializer_context(self) -> dict[str, Any]:
        collection = get_object_or_404(open_documents(self.request.user), pk=self.kwargs["pk"]).collection
        return {**super().get_serializer_context(), "covers": is_masked(collection, self.request.user)}

    def get_queryset(self) -> QuerySet[Chunk]:
        viewer = self.request.user
        document = get_object_or_404(open_documents(viewer), pk=self.kwargs["pk"])
        return open_chunks(viewer, document).order_by("extraction", "ordinal")
