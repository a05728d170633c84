from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.api.serializers import ChunkSerializer
from ingestion.library.seen_documents import seen_chunks
from ingestion.models import Chunk
from ingestion.selectors import open_chunks, open_documents
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from knowledgetree.problems import problems


@extend_schema(
    summary="The chunks of a document, in reading order",
    description="Readers get the chunks that are searched; editors also those that were switched off.",
    responses={200: ChunkSerializer(many=True), **problems(404)},
)
class ChunkListView(ListAPIView[Chunk]):
    scopes = {"GET": "documents:read"}
    serializer_class = ChunkSerializer
    queryset = Chunk.objects.none()

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        document = get_object_or_404(open_documents(request.user), pk=kwargs["pk"])
        record(AuditEntry.Action.READ, viewer=request.user, documents=[document.pk])
        rows = open_chunks(request.user, document).order_by("extraction", "ordinal")
        page = seen_chunks(request.user, document, self.paginate_queryset(rows) or ())
        return self.get_paginated_response(ChunkSerializer(page, many=True).data)
