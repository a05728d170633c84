"""The list of what texts say of validities, with the sentence beside the date."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import ReadOnlyAdmin
from ingestion.admin.filters import CollectionFilter
from ingestion.admin.validity.deciding import decide
from ingestion.library.validity.proposals import open_proposals, shown_proposal
from ingestion.models import ValidityProposal


class DocumentsCollectionFilter(CollectionFilter):
    path = "document__collection"


@admin.action(description=_("Accept the selected: set these dates"), permissions=["decide"])
def accept(model_admin: Any, request: HttpRequest, queryset: QuerySet[ValidityProposal]) -> None:
    decide(request, queryset, accept=True)


@admin.action(description=_("Reject the selected"), permissions=["decide"])
def reject(model_admin: Any, request: HttpRequest, queryset: QuerySet[ValidityProposal]) -> None:
    decide(request, queryset, accept=False)


@admin.register(ValidityProposal)
class ValidityProposalAdmin(ReadOnlyAdmin[ValidityProposal]):
    list_display = ["of_document", "field", "present", "proposed_day", "said"]
    list_display_links = None
    list_before_template = "admin/ingestion/validityproposal/hint.html"
    list_filter = [DocumentsCollectionFilter, "field"]
    search_fields = ["document__title"]
    search_help_text = _("Title of the document")
    actions = [accept, reject]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ValidityProposal]:
        return open_proposals(request.user)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: ValidityProposal | None = None) -> bool:
        return request.user.has_perm("ingestion.view_document") or self.has_decide_permission(request)

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("ingestion.change_document"))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return super().changelist_view(request, {"title": _("Proposed validities"), **(extra_context or {})})

    @admin.display(description=_("document"), ordering="document__title")
    def of_document(self, row: ValidityProposal) -> SafeString:
        page = reverse("admin:ingestion_document_change", args=[row.document_id])
        return format_html('<a href="{}" class="text-link">{}</a>', page, row.document)

    @admin.display(description=_("now"))
    def present(self, row: ValidityProposal) -> str:
        day = getattr(row.document, row.field)
        return str(date_format(day)) if day else "–"

    @admin.display(description=_("proposed"), ordering="proposed")
    def proposed_day(self, row: ValidityProposal) -> str:
        return str(date_format(shown_proposal(row).day))

    @admin.display(description=_("as the text says"))
    def said(self, row: ValidityProposal) -> SafeString:
        return render_to_string("admin/ingestion/validityproposal/said.html", {"one": shown_proposal(row)})
