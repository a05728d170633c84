"""The audit log in the administration: read, searched, taken away as a file; nothing else."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import auditlog.admin  # noqa: F401  (what it registers is taken back here)
from asgiref.sync import sync_to_async
from django.apps import apps
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone, translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.admin.base import ReadOnlyAdmin
from ingestion.admin.labels import excerpt
from ingestion.text.personal_data.masking import masked
from knowledgetree.audit.exporting import csv_pieces
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record_strictly
from knowledgetree.postgres.connections import release_connections

_SHOWN_DOCUMENTS = 5
_NOTHING = "None"  # before something was made, and after it was deleted
_LONGEST_NUMBER = 18  # digits

admin.site.unregister(AuditEntry)  # django-auditlog shows its own table, which this one stands in for


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """For superusers, and whoever has `knowledgetree.view_auditentry`."""

    list_display = ["when", "who", "action", "about", "door", "address"]
    list_display_links = ["when"]
    list_filter = ["action", "door"]
    date_hierarchy = "at"
    search_fields = ["user_name", "key", "text", "label", "subject_type"]
    search_help_text = gettext_lazy("An account, a key, words of a question, or the number of a document.")
    change_list_template = "admin/audit/change_list.html"
    show_full_result_count = False  # a log of years is not counted to show fifty rows
    fields = [
        "when", "who", "user_number", "action", "outcome", "door", "address", "about", "text", "changes", "trace",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        return AuditEntry.objects.all()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEntry], search_term: str
    ) -> tuple[QuerySet[AuditEntry], bool]:
        """A number is also that of a document, or of whatever else was changed."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        term = search_term.strip()
        if term.isascii() and term.isdigit() and len(term) <= _LONGEST_NUMBER:
            found |= queryset.filter(documents__contains=[int(term)]) | queryset.filter(subject=term)
        return found, duplicates

    def get_urls(self) -> list[URLPattern]:
        export = self.admin_site.admin_view(self.export_view)
        return [path("export/", export, name="knowledgetree_auditentry_export"), *super().get_urls()]

    def export_view(self, request: HttpRequest) -> StreamingHttpResponse:
        """What the list shows, whole, as CSV. That it was taken away is recorded first, or it is not given."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        entries: QuerySet[AuditEntry] = self.get_changelist_instance(request).get_queryset(request)
        shown = {name: masked(str(value)) for name, value in request.GET.items()}
        subject = Subject(kind=AuditEntry._meta.label_lower)
        record_strictly(AuditEntry.Action.EXPORT, subject=subject, details={"shown": shown})
        subject_of_the_file = _("audit-log")
        name = f"{subject_of_the_file}-{timezone.localdate():%Y-%m-%d}.csv"
        return StreamingHttpResponse(
            _streamed(csv_pieces(entries), translation.get_language() or "pl"),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @admin.display(description=gettext_lazy("when"), ordering="at")
    def when(self, entry: AuditEntry) -> str:
        return timezone.localtime(entry.at).strftime("%Y-%m-%d %H:%M:%S")

    @admin.display(description=gettext_lazy("who"), ordering="user_name")
    def who(self, entry: AuditEntry) -> str:
        if entry.door == AuditEntry.Door.PROGRAM and not entry.user_name:
            return "–"
        number, session = {"number": entry.user_number}, {"session": entry.session}
        unnamed = _("account %(number)s") % number if entry.user_number else _("anonymous %(session)s") % session
        name = entry.user_name or unnamed
        return f"{name} ({entry.key}…)" if entry.key else name.strip()

    @admin.display(description=gettext_lazy("about"))
    def about(self, entry: AuditEntry) -> SafeString:
        parts = [part for part in (entry.text and f"„{excerpt(entry.text, 80)}”", _subject(entry)) if part]
        links = format_html_join(", ", '<a class="text-link" href="{}">{}</a>', _document_links(entry))
        more = "…" if len(entry.documents) > _SHOWN_DOCUMENTS else ""
        documents = format_html("{}: {}{}", _("documents"), links, more) if links else ""
        return format_html_join(" · ", "{}", ((part,) for part in (*parts, documents) if part))

    @admin.display(description=gettext_lazy("details"))
    def changes(self, entry: AuditEntry) -> SafeString:
        return format_html_join("", "<div>{}</div>", ((line,) for line in _lines(entry.details)))


def _subject(entry: AuditEntry) -> str:
    """The kind in words, where there is such a model still."""
    try:
        kind = str(apps.get_model(entry.subject_type)._meta.verbose_name)
    except (LookupError, ValueError):
        kind = entry.subject_type
    return " ".join(filter(None, [kind, entry.label or entry.subject]))


def _document_links(entry: AuditEntry) -> Iterator[tuple[str, int]]:
    for key in entry.documents[:_SHOWN_DOCUMENTS]:
        yield reverse("admin:ingestion_document_change", args=[key]), key


def _lines(details: dict[str, Any]) -> Iterator[str]:
    """Of a change each field with its value before and after; of anything else its name and its value."""
    for name, value in details.get("changes", {}).items():
        if isinstance(value, list):
            yield f"{name}: {' → '.join(side for side in map(str, value) if side != _NOTHING)}"
        else:
            yield f"{name}: " + "; ".join(f"{how} {', '.join(objects)}" for how, objects in value.items())
    yield from (f"{name}: {value}" for name, value in details.items() if name != "changes")


async def _streamed(pieces: Iterator[str], language: str) -> AsyncIterator[bytes]:
    """Each piece is read when the one before has been taken, and no connection is held meanwhile."""
    take = sync_to_async(_next)
    while piece := await take(pieces, language):
        yield piece.encode()


def _next(pieces: Iterator[str], language: str) -> str:
    with translation.override(language):
        try:
            return next(pieces, "")
        finally:
            release_connections()
