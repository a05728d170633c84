from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.api.access import open_documents
from ingestion.api.filters import DocumentFiltersSerializer, filter_documents, read_filters
from ingestion.api.pagination import Pages
from ingestion.api.permissions import EditorPermission
from ingestion.api.serializers import DocumentSerializer, QueuedDocumentSerializer
from ingestion.api.uploads import UploadSerializer
from ingestion.models import Document
from ingestion.services.documents import add_document, delete_document
from knowledgetree.problems import problems

DOCUMENTS_PER_VIEWER = "Readers get what is ready; editors (`ingestion.view_document`) get every status."


class DocumentListView(ListAPIView[Document]):
    serializer_class = DocumentSerializer
    pagination_class = Pages
    permission_classes = [EditorPermission]
    editor_permissions = {"POST": "ingestion.add_document"}
    parser_classes = [MultiPartParser]
    queryset = Document.objects.none()

    def get_queryset(self) -> QuerySet[Document]:
        filters = read_filters(DocumentFiltersSerializer, self.request)
        return filter_documents(open_documents(self.request.user).select_related("collection"), filters)

    @extend_schema(
        summary="Documents that the viewer can open",
        description=DOCUMENTS_PER_VIEWER,
        parameters=[DocumentFiltersSerializer],
        responses={200: DocumentSerializer(many=True), **problems(400)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Upload a document",
        description="Editors only. The document is indexed in the background; its job tells how far it is.",
        request={"multipart/form-data": UploadSerializer},
        responses={202: QueuedDocumentSerializer, **problems(400, 403, 422)},
    )
    def post(self, request: Request) -> Response:
        upload = UploadSerializer(data=request.data, context={"request": request})
        upload.is_valid(raise_exception=True)
        fields: dict[str, Any] = dict(upload.validated_data)
        file = fields.pop("file")
        document = add_document(name=file.name, content=file.read(), author=request.user, **fields)
        queued = QueuedDocumentSerializer({"document": document, "job": document.jobs.first()})
        return Response(queued.data, status=status.HTTP_202_ACCEPTED)


class DocumentDetailView(RetrieveAPIView[Document]):
    serializer_class = DocumentSerializer
    permission_classes = [EditorPermission]
    editor_permissions = {"DELETE": "ingestion.delete_document"}
    queryset = Document.objects.none()

    def get_queryset(self) -> QuerySet[Document]:
        return open_documents(self.request.user).select_related("collection")

    @extend_schema(
        summary="One document",
        description=DOCUMENTS_PER_VIEWER,
        responses={200: DocumentSerializer, **problems(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.retrieve(request)

    @extend_schema(summary="Delete a document and all that was made of it", responses={204: None, **problems(403, 404)})
    def delete(self, request: Request, pk: int) -> Response:
        delete_document(document=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)
