"""What synchronisations came to, and the addresses about which an editor decides."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import M, ReadOnlyAdmin
from ingestion.admin.filters import CollectionFilter
from ingestion.admin.labels import coloured, moment
from ingestion.admin.sources.sync_columns import COLOURS, listings, numbers
from ingestion.models import SourceAddress, SyncReport
from ingestion.services.syncing.decisions import allow_again, confirm_gone, keep_gone
from ingestion.services.syncing.tally import REASONS

_State = SourceAddress.State


class SourceCollectionFilter(CollectionFilter):
    path = "source__collection"


class OfSourceAdmin(ReadOnlyAdmin[M]):
    """For those who may see the source."""

    collection_path = "source__collection"
    list_select_related = ["source"]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return any(request.user.has_perm(f"ingestion.{may}_source") for may in ("view", "change"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    @admin.display(description=_("source"), ordering="source__name")
    def source_link(self, row: Any) -> SafeString:
        address = reverse("admin:ingestion_source_change", args=[row.source_id])
        return format_html('<a href="{}" class="text-link">{}</a>', address, row.source)


@admin.register(SyncReport)
class SyncReportAdmin(OfSourceAdmin[SyncReport]):
    list_display = ["began", "source_link", "status_label", "summary"]
    list_filter = ["status", SourceCollectionFilter]
    search_fields = ["source__name", "error"]
    fields = ["source_link", "status_label", "dry", "began", "ended", "remedy", "summary", "reasons", "details"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SyncReport]:
        return super().get_queryset(request).select_related("source")

    @admin.display(description=_("started"), ordering="started")
    def began(self, report: SyncReport) -> str:
        return moment(report.started)

    @admin.display(description=_("finished"))
    def ended(self, report: SyncReport) -> str:
        return moment(report.finished)

    @admin.display(description=_("status"), ordering="status")
    def status_label(self, report: SyncReport) -> SafeString:
        return coloured(report.get_status_display(), COLOURS[report.status])

    @admin.display(description=_("error and what to do"))
    def remedy(self, report: SyncReport) -> SafeString:
        return render_to_string("admin/ingestion/failure.html", {"message": report.error})

    @admin.display(description=_("result"))
    def summary(self, report: SyncReport) -> SafeString:
        return render_to_string("admin/ingestion/source/numbers.html", {"numbers": numbers(report.counts)})

    @admin.display(description=_("why skipped"))
    def reasons(self, report: SyncReport) -> SafeString:
        counted = [(REASONS.get(reason, reason), n) for reason, n in report.counts.get("reasons", {}).items()]
        return render_to_string("admin/ingestion/source/reasons.html", {"reasons": counted})

    @admin.display(description=_("addresses"))
    def details(self, report: SyncReport) -> SafeString:
        return render_to_string("admin/ingestion/source/listings.html", {"listings": listings(report)})


class MatterFilter(SimpleListFilter):
    """The state, and besides it the addresses whose documents an editor deleted."""

    title = _("state")
    parameter_name = "matter"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*_State.choices, ("deleted", _("deleted by an editor"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        deleted = Q(document=None) & ~Q(state=_State.UNREAD)
        if self.value() == "deleted":
            return queryset.filter(deleted)
        return queryset.filter(state=self.value()).exclude(deleted) if self.value() else queryset


@admin.register(SourceAddress)
class SourceAddressAdmin(OfSourceAdmin[SourceAddress]):
    list_display = ["uri", "source_link", "state_label", "document_link"]
    list_before_template = "admin/ingestion/source/decide.html"
    list_filter = [MatterFilter, SourceCollectionFilter]
    list_select_related = ["source", "document"]
    search_fields = ["uri"]
    actions = ["confirm", "keep", "allow"]
    fields = ["uri", "source_link", "state_label", "document_link", "since"]

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("ingestion.change_source")

    @admin.display(description=_("state"), ordering="state")
    def state_label(self, address: SourceAddress) -> SafeString:
        if address.refused:
            return coloured(gettext("deleted by an editor"), "default")
        colour = "warning" if address.state == _State.WAITING else "default"
        return coloured(address.get_state_display(), colour)  # type: ignore[arg-type]

    @admin.display(description=_("document"))
    def document_link(self, address: SourceAddress) -> SafeString | str:
        if address.document is None:
            return "–"
        there = reverse("admin:ingestion_document_change", args=[address.document_id])
        return format_html('<a href="{}" class="text-link">{}</a>', there, address.document)

    @admin.action(
        description=_("They are gone: archive the documents, or erase them as the source says"), permissions=["decide"]
    )
    def confirm(self, request: HttpRequest, queryset: QuerySet[SourceAddress]) -> None:
        done = confirm_gone(addresses=queryset)
        self._say(request, done, ngettext("%(n)d document removed.", "%(n)d documents removed.", done))

    @admin.action(description=_("Keep the documents in service"), permissions=["decide"])
    def keep(self, request: HttpRequest, queryset: QuerySet[SourceAddress]) -> None:
        done = keep_gone(addresses=queryset)
        self._say(request, done, ngettext("%(n)d document is kept.", "%(n)d documents are kept.", done))

    @admin.action(description=_("Take deleted documents again at the next synchronisation"), permissions=["decide"])
    def allow(self, request: HttpRequest, queryset: QuerySet[SourceAddress]) -> None:
        done = allow_again(addresses=queryset)
        self._say(
            request, done, ngettext("%(n)d address is allowed again.", "%(n)d addresses are allowed again.", done)
        )

    def _say(self, request: HttpRequest, done: int, message: str) -> None:
        if done:
            self.message_user(request, message % {"n": done}, messages.SUCCESS)
        else:
            self.message_user(request, gettext("Nothing to do for the chosen addresses."), messages.WARNING)
