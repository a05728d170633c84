from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.api.filters import DocumentFiltersSerializer, read_filters
from ingestion.api.pagination import Pages
from ingestion.api.permissions import EditorPermission
from ingestion.api.serializers import (
    CandidateSerializer,
    DocumentSerializer,
    NameTakenSerializer,
    QueuedDocumentSerializer,
)
from ingestion.api.uploads import UploadSerializer
from ingestion.library.seen_documents import fitting_documents, seen_documents
from ingestion.models import Document
from ingestion.selectors import open_documents
from ingestion.services.documents import delete_document
from ingestion.services.files.uploads import NameTaken, take_upload
from knowledgetree.problems import CONTENT_TYPE, problems

UPLOADS = (
    "Editors only. The document is indexed in the background; its job tells how far it is. Content that the collection "
    "has already is not stored again: 200, `unchanged`. A file of the name of a document with other content is asked "
    "about: 409, `name_taken`, with `candidates`; say `new_version_of` or `another`. What an editor set stays, see "
    "`edited`."
)
DOCUMENTS_PER_VIEWER = "Readers get what is ready; editors (`ingestion.view_document`) get every status."


class DocumentListView(ListAPIView[Document]):
    scopes = {"GET": "documents:read", "POST": "documents:write"}
    serializer_class = DocumentSerializer
    pagination_class = Pages
    permission_classes = [EditorPermission]
    editor_permissions = {"POST": "ingestion.add_document"}
    parser_classes = [MultiPartParser]
    queryset = Document.objects.none()

    def get_queryset(self) -> QuerySet[Document]:
        return fitting_documents(self.request.user, read_filters(DocumentFiltersSerializer, self.request))

    @extend_schema(
        summary="Documents that the viewer can open",
        description=DOCUMENTS_PER_VIEWER,
        parameters=[DocumentFiltersSerializer],
        responses={200: DocumentSerializer(many=True), **problems(400)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = seen_documents(request.user, self.paginate_queryset(self.get_queryset()) or ())
        return self.get_paginated_response(DocumentSerializer(page, many=True).data)

    @extend_schema(
        summary="Upload a document",
        description=UPLOADS,
        request={"multipart/form-data": UploadSerializer},
        responses={
            200: QueuedDocumentSerializer,
            202: QueuedDocumentSerializer,
            (409, CONTENT_TYPE): NameTakenSerializer,
            **problems(400, 403, 422),
        },
    )
    def post(self, request: Request) -> Response:
        upload = UploadSerializer(data=request.data, context={"request": request})
        upload.is_valid(raise_exception=True)
        purpose, fields = upload.purpose(), dict(upload.validated_data)
        file = fields.pop("file")
        try:
            arrival = take_upload(name=file.name, content=file.read(), author=request.user, purpose=purpose, **fields)
        except NameTaken as taken:
            open_ones = open_documents(request.user)
            candidates = open_ones.filter(pk__in=[document.pk for document in taken.candidates])
            shown = CandidateSerializer(seen_documents(request.user, candidates), many=True)
            taken.members["candidates"] = shown.data
            raise
        queued = arrival.outcome in {"new", "version", "fields"}
        job = arrival.document.jobs.first()
        (document,) = seen_documents(request.user, [arrival.document])
        answer = QueuedDocumentSerializer({"outcome": arrival.outcome, "document": document, "job": job})
        return Response(answer.data, status=status.HTTP_202_ACCEPTED if queued else status.HTTP_200_OK)


class DocumentDetailView(RetrieveAPIView[Document]):
    scopes = {"GET": "documents:read", "DELETE": "documents:write"}
    serializer_class = DocumentSerializer
    permission_classes = [EditorPermission]
    editor_permissions = {"DELETE": "ingestion.delete_document"}
    queryset = Document.objects.none()

    def get_queryset(self) -> QuerySet[Document]:
        return open_documents(self.request.user)

    @extend_schema(
        summary="One document",
        description=DOCUMENTS_PER_VIEWER,
        responses={200: DocumentSerializer, **problems(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        (document,) = seen_documents(request.user, [self.get_object()])
        return Response(DocumentSerializer(document).data)

    @extend_schema(summary="Delete a document and all that was made of it", responses={204: None, **problems(403, 404)})
    def delete(self, request: Request, pk: int) -> Response:
        delete_document(document=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)
