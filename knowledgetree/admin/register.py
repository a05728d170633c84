"""The register of personal data: every collection on one page, an entry as a form, a report for an inspector."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from ingestion.admin.base import KnowledgeAdmin
from ingestion.models import Erasure
from ingestion.models.viewers import is_superuser
from knowledgetree.admin.person_request import person_view
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record_strictly
from knowledgetree.conf import rag_settings
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.privacy.register import register

_PROVEN_DAYS = 365


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
        person = self.admin_site.admin_view(never_cache(person_view))
        return [
            path("report/", report, name="knowledgetree_processingrecord_report"),
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
            "entries": register(request.user),
            "may_add": self.has_add_permission(request),
            "may_ask": is_superuser(request.user),
        }
        return TemplateResponse(request, "admin/privacy/register.html", context)

    def report_view(self, request: HttpRequest) -> HttpResponse:
        """A page to be printed or saved. That it was made is recorded."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        record_strictly(AuditEntry.Action.EXPORT, subject=Subject(kind=self.opts.label_lower))
        since = timezone.now() - timedelta(days=_PROVEN_DAYS)
        entries = register(request.user)
        keys = [entry.collection.pk for entry in entries]
        ended = AuditEntry.objects.filter(action=AuditEntry.Action.FORGET, at__gte=since, details__has_key="ending")
        context = {
            "entries": entries,
            "made": timezone.now(),
            "made_by": request.user,
            "erasures": Erasure.objects.filter(created__gte=since, collection__in=keys).select_related("collection"),
            "ended": ended.filter(collections__overlap=keys),
            "settings": rag_settings(),
        }
        return TemplateResponse(request, "admin/privacy/report.html", context)
