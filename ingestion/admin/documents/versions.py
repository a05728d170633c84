"""The versions of a document: listed on its page, downloaded, compared, brought back."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from ingestion.models import Document, DocumentVersion
from ingestion.services.comparing import compared, text_of
from ingestion.services.documents import restore_version
from ingestion.text.personal_data.masking import masked
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.http.downloads import download

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Document]
else:
    Base = object


class DocumentVersions(Base):
    def get_urls(self) -> list[URLPattern]:
        views = {"download": require_safe(self.download), "compare": require_safe(self.compare)}
        views["restore"] = require_POST(self.restore_view)
        return [
            path(
                f"<int:pk>/versions/<int:number>/{name}/",
                self.admin_site.admin_view(view),
                name=f"ingestion_document_version_{name}",
            )
            for name, view in views.items()
        ] + super().get_urls()

    @admin.display(description=_("versions"))
    def version_list(self, document: Document) -> SafeString:
        versions = list(document.versions.select_related("author").defer("text"))
        if document.collection.mask_personal_data:
            for version in versions:
                version.note = masked(version.note)
        return render_to_string("admin/ingestion/document/versions.html", {"versions": versions, "document": document})

    def download(self, request: HttpRequest, pk: int, number: int) -> HttpResponseBase:
        """The original as it was, always as a download: somebody else wrote it."""
        version = self._version(request, pk, number)
        try:
            file = version.file.open("rb")
        except FileNotFoundError as error:
            raise Http404 from error
        return download(request, file, name=version.file_name, checksum=version.checksum)

    def compare(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """What became of version `number` in the one that `with` names, the current one by default."""
        old = self._version(request, pk, number)
        wanted = request.GET.get("with", "")
        chosen = old.document.versions.filter(number=int(wanted)) if wanted.isascii() and wanted.isdigit() else None
        new = chosen.first() if chosen is not None else old.document.versions.first()
        if new is None:
            raise Http404
        context: dict[str, Any] = {"title": str(old.document), "document": old.document, "old": old, "new": new}
        texts = text_of(old), text_of(new)
        try:
            if texts[0] is not None and texts[1] is not None:
                context["lines"] = list(compared(texts[0], texts[1]))
        except KnowledgeTreeError as error:
            context["error"] = str(error)
        context |= self.admin_site.each_context(request) | {"title": str(old.document)}
        return TemplateResponse(request, "admin/ingestion/document/compare.html", context)

    def restore_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        version = self._version(request, pk, number, change=True)
        try:
            restore_version(version=version, author=request.user)
        except KnowledgeTreeError as error:
            self.message_user(request, str(error), messages.ERROR)
        else:
            said = gettext("Version %(n)d is the current one again; it is being indexed.") % {"n": number}
            self.log_change(request, version.document, said)
            self.message_user(request, said, messages.SUCCESS)
        return redirect("admin:ingestion_document_change", pk)

    def _version(self, request: HttpRequest, pk: int, number: int, *, change: bool = False) -> DocumentVersion:
        document = get_object_or_404(self.get_queryset(request), pk=pk)
        allowed = self.has_change_permission if change else self.has_view_permission
        if not allowed(request, document):
            raise PermissionDenied
        return get_object_or_404(document.versions.select_related("document"), number=number)
