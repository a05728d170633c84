from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.api.document_fields import DocumentChangesSerializer
from ingestion.api.filters import DocumentFiltersSerializer
from ingestion.api.serializers import (
    CandidateSerializer,
    DocumentSerializer,
    DocumentWithJobSerializer,
    NameTakenSerializer,
    QueuedDocumentSerializer,
)
from ingestion.api.uploads import UploadSerializer
from ingestion.library.seen_documents import SeenDocument, fitting_documents, seen_documents
from ingestion.models import Document, Job
from ingestion.selectors import open_documents
from ingestion.services.documents import archive_document, delete_document, reindex_document, restore_document
from ingestion.services.files.uploads import NameTaken, take_upload
from knowledgetree.http.query_filters import read_filters
from knowledgetree.http.resources import IF_MATCH, ResourceView
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
            arrival = take_upload(name=file.name, content=file, author=request.user, purpose=purpose, **fields)
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


class DocumentDetailView(ResourceView[Document]):
    scopes = {"GET": "documents:read", "PATCH": "documents:write", "DELETE": "documents:write"}
    editor_permissions = {"PATCH": "ingestion.change_document", "DELETE": "ingestion.delete_document"}
    serializer_class = DocumentSerializer
    queryset = Document.objects.none()

    def get_queryset(self) -> QuerySet[Document]:
        return open_documents(self.request.user)

    def representation(self, row: Document) -> Mapping[str, Any]:
        return DocumentSerializer(self._seen(row)).data

    def changes_of(self, row: Document) -> DocumentChangesSerializer:
        return DocumentChangesSerializer(
            row, data=self.request.data, partial=True, seen=self._seen(row), viewer=self.request.user
        )

    def _seen(self, row: Document) -> SeenDocument:
        (document,) = seen_documents(self.request.user, [row])
        return document

    @extend_schema(
        summary="One document",
        description=DOCUMENTS_PER_VIEWER,
        responses={200: DocumentSerializer, **problems(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        return self.show()

    @extend_schema(
        summary="Set what is said of a document",
        description="Editors only. What is set stays, see `edited`; a new title is indexed in the background.",
        parameters=[IF_MATCH],
        request=DocumentChangesSerializer,
        responses={200: DocumentSerializer, **problems(400, 403, 404, 412, 422)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete a document and all that was made of it",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 412)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        return self.remove(lambda document: delete_document(document=document))


class DocumentActionView(APIView):
    """What an editor does to one document; doing it twice is doing it once."""

    scopes = {"POST": "documents:write"}
    editor_permissions = {"POST": "ingestion.change_document"}

    def document(self) -> Document:
        return get_object_or_404(open_documents(self.request.user), pk=self.kwargs["pk"])

    def answer(self, job: Job | None = None) -> Response:
        (document,) = seen_documents(self.request.user, [self.document()])
        answer = DocumentWithJobSerializer({"document": document, "job": job})
        return Response(answer.data, status=status.HTTP_202_ACCEPTED if job else status.HTTP_200_OK)


class DocumentArchiveView(DocumentActionView):
    @extend_schema(
        summary="Take a document out of search",
        description="Editors only. It can be restored. An archived one is returned as it is.",
        request=None,
        responses={200: DocumentWithJobSerializer, **problems(403, 404)},
    )
    def post(self, request: Request, pk: int) -> Response:
        document = self.document()
        if document.status != Document.Status.ARCHIVED:
            archive_document(document=document)
        return self.answer()


class DocumentRestoreView(DocumentActionView):
    @extend_schema(
        summary="Bring a document back from the archive",
        description="Editors only. It is indexed in the background. One that is not archived is returned as it is.",
        request=None,
        responses={200: DocumentWithJobSerializer, 202: DocumentWithJobSerializer, **problems(403, 404)},
    )
    def post(self, request: Request, pk: int) -> Response:
        document = self.document()
        archived = document.status == Document.Status.ARCHIVED
        return self.answer(restore_document(document=document) if archived else None)


class DocumentReindexView(DocumentActionView):
    @extend_schema(
        summary="Read and index a document again",
        description="Editors only. What is archived is left alone: 200, without a job.",
        request=None,
        responses={200: DocumentWithJobSerializer, 202: DocumentWithJobSerializer, **problems(403, 404)},
    )
    def post(self, request: Request, pk: int) -> Response:
        document = self.document()
        archived = document.status == Document.Status.ARCHIVED
        return self.answer(None if archived else reindex_document(document=document))
