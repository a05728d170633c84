"""What an editor does on a document's page beside its form: a new version, reading again, taking a value back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST
from unfold.widgets import UnfoldAdminFileFieldWidget

from ingestion.admin.documents.upload import of_allowed_size
from ingestion.admin.validity.deciding import decide
from ingestion.library.validity.proposals import open_proposals
from ingestion.models import Document
from ingestion.services.documents import reindex_document
from ingestion.services.editing import take_back_field
from ingestion.services.files.uploads import Purpose, take_upload
from knowledgetree.errors import KnowledgeTreeError

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Document]
else:
    Base = object


class NewVersionForm(forms.Form):
    original = forms.FileField(
        label=gettext_lazy("File"), allow_empty_file=True, widget=UnfoldAdminFileFieldWidget
    )  # the service says what is wrong with an empty one


class DocumentEditing(Base):
    def get_urls(self) -> list[URLPattern]:
        views = {
            "new_version": self.new_version_view,
            "take_back": require_POST(self.take_back_view),
            "read_again": require_POST(self.read_again_view),
            "validity": require_POST(self.validity_view),
        }
        own = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"ingestion_document_{name}")
            for name, view in views.items()
        ]
        return [*own, *super().get_urls()]

    def new_version_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        document = self._document(request, pk)
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        form = NewVersionForm(*sent)
        if form.is_valid():
            try:
                self._take_version(request, document, form.cleaned_data["original"])
            except KnowledgeTreeError as error:
                form.add_error("original", str(error))
            else:
                return redirect("admin:ingestion_document_change", pk)
        title = gettext("New version of “%(title)s”") % {"title": document}
        context: dict[str, Any] = {**self.admin_site.each_context(request), "title": title}
        context |= {"form": form, "document": document}
        return TemplateResponse(request, "admin/ingestion/document/new_version.html", context)

    def _take_version(self, request: HttpRequest, document: Document, file: UploadedFile[bytes]) -> None:
        arrival = take_upload(
            collection=document.collection,
            name=file.name or "",
            content=of_allowed_size(file),
            author=request.user,
            purpose=Purpose(version_of=document.pk),
        )
        if arrival.outcome == "version":
            said = gettext("A new version; it is being indexed.")
            self.log_change(request, document, said)
            self.message_user(request, said, messages.SUCCESS)
        else:
            self.message_user(request, gettext("The file has the content of the current version."), messages.INFO)

    def read_again_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        document = self._document(request, pk)
        if document.status != Document.Status.ARCHIVED:
            reindex_document(document=document)
            said = gettext("Queued for indexing.")
            self.log_change(request, document, said)
            self.message_user(request, said, messages.SUCCESS)
        return redirect("admin:ingestion_document_change", pk)

    def take_back_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        document = self._document(request, pk)
        if take_back_field(document=document, name=request.POST.get("field", "")):
            said = gettext("The document has its own value again.")
            self.log_change(request, document, said)
            self.message_user(request, said, messages.SUCCESS)
        return redirect("admin:ingestion_document_change", pk)

    def validity_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """`accept` or `reject`: the number of a proposed validity."""
        document = self._document(request, pk)
        number = request.POST.get("accept") or request.POST.get("reject") or ""
        chosen = open_proposals(request.user).filter(document=document, pk=int(number) if number.isdecimal() else 0)
        decide(request, chosen, accept="accept" in request.POST)
        return redirect("admin:ingestion_document_change", pk)

    def _document(self, request: HttpRequest, pk: int) -> Document:
        """The editor's to change; one of a collection that the editor may not see does not exist."""
        document = get_object_or_404(self.get_queryset(request).select_related("collection"), pk=pk)
        if not self.has_change_permission(request, document):
            raise PermissionDenied
        return document
