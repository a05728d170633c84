"""What an editor does on a document's page beside its form: a field's own value taken back."""

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from ingestion.models import Document
from ingestion.services.editing import take_back_field

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Document]
else:
    Base = object


class DocumentEditing(Base):
    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.take_back_view))
        own = path("<int:pk>/take-back/", view, name="ingestion_document_take_back")
        return [own, *super().get_urls()]

    def take_back_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        document = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_change_permission(request, document):
            raise PermissionDenied
        if take_back_field(document=document, name=request.POST.get("field", "")):
            said = gettext("The document has its own value again.")
            self.log_change(request, document, said)
            self.message_user(request, said, messages.SUCCESS)
        return redirect("admin:ingestion_document_change", pk)
