"""The register of personal data: every collection on one page, an entry as a form, a report for an inspector."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from ingestion.admin.base import KnowledgeAdmin
from ingestion.models import Erasure
from ingestion.models.viewers import is_superuser
from ingestion.selectors import in_visible_collections
from knowledgetree.admin.person_request import person_view
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record_strictly
from knowledgetree.privacy.entry_texts import entry_lines
from knowledgetree.privacy.inspection import Inspection, inspect, safeguards
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.privacy.register import register

_SHOWN = 20  # erasures on the page; the report has those of a year


@admin.register(ProcessingRecord)
class ProcessingRecordAdmin(KnowledgeAdmin[ProcessingRecord]):
    """By Django's permissions, for the collections that the editor may read. Requests of persons are for superusers."""

    fields = [
        "collection", "purpose", "basis", "provision", "persons", "recipients", "term_days", "counted_from", "ending",
    ]  # fmt: skip
    search_fields = ["collection__name"]
    warn_unsaved_form = True

    def get_urls(self) -> list[URLPattern]:
        report = self.admin_site.admin_view(never_cache(self.report_view))
        report_file = self.admin_site.admin_view(never_cache(self.report_pdf_view))
        proof = self.admin_site.admin_view(never_cache(self.proof_view))
        person = self.admin_site.admin_view(never_cache(person_view))
        return [
            path("report/", report, name="knowledgetree_processingrecord_report"),
            path("report.pdf", report_file, name="knowledgetree_processingrecord_report_pdf"),
            path("erasures/<int:pk>.pdf", proof, name="knowledgetree_processingrecord_proof"),
            path("person/", person, name="knowledgetree_processingrecord_person"),
            *super().get_urls(),
        ]

    def save_model(
        self, request: HttpRequest, obj: ProcessingRecord, form: ModelForm[ProcessingRecord], change: bool
    ) -> None:
        obj.noted_by_id = request.user.pk
        super().save_model(request, obj, form, change)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """All collections, those that nobody has described among them."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": _("Register of personal data"),
            "entries": [(entry, list(entry_lines(entry))) for entry in register(request.user)],
            "erasures": self._erasures(request),
            "safeguards": list(safeguards()),
            "may_add": self.has_add_permission(request),
            "may_ask": is_superuser(request.user),
        }
        return TemplateResponse(request, "admin/privacy/register.html", context)

    def _erasures(self, request: HttpRequest) -> QuerySet[Erasure]:
        """The last ones, for whoever may see their records."""
        if not request.user.has_perm("ingestion.view_erasure"):
            return Erasure.objects.none()
        seen = in_visible_collections(Erasure.objects.all(), request.user)
        return seen.select_related("collection")[:_SHOWN]

    def report_view(self, request: HttpRequest) -> HttpResponse:
        """A page to be printed or saved. That it was made is recorded."""
        inspection = self._inspect(request)
        lines = [(entry, list(entry_lines(entry))) for entry in inspection.entries]
        return TemplateResponse(request, "admin/privacy/report.html", {"report": inspection, "entries": lines})

    def report_pdf_view(self, request: HttpRequest) -> HttpResponse:
        """The same as a file."""
        from knowledgetree.privacy.report_files import inspection_pdf  # a library of its own, as for conversations

        inspection = self._inspect(request)
        name = f"rejestr-{timezone.localtime(inspection.made):%Y-%m-%d}.pdf"
        return _file(inspection_pdf(inspection), name)

    def proof_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """That a document was erased, for whoever may see the records of erasures."""
        from knowledgetree.privacy.report_files import erasure_pdf

        if not (self.has_view_permission(request) and request.user.has_perm("ingestion.view_erasure")):
            raise PermissionDenied
        seen = in_visible_collections(Erasure.objects.all(), request.user, shared=True)
        erasure = get_object_or_404(seen, pk=pk)
        record_strictly(AuditEntry.Action.EXPORT, subject=Subject.of(erasure), documents=[erasure.document_number])
        return _file(erasure_pdf(erasure), f"usuniecie-{erasure.document_number}.pdf")

    def _inspect(self, request: HttpRequest) -> Inspection:
        if not self.has_view_permission(request):
            raise PermissionDenied
        record_strictly(AuditEntry.Action.EXPORT, subject=Subject(kind=self.opts.label_lower))
        return inspect(request.user)  # type: ignore[arg-type]


def _file(content: bytes, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/pdf", headers=headers)
