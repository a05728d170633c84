from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.filters import CollectionFilter
from ingestion.admin.labels import coloured, excerpt
from ingestion.models import Chunk
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from knowledgetree.errors import KnowledgeTreeError

JOINER = "\u2060"  # no line break around the dash


@admin.register(Chunk)
class ChunkAdmin(KnowledgeAdmin[Chunk]):
    """The chunk viewer. Text and search state change through services, which index the one chunk anew."""

    list_display = ["beginning", "document", "heading", "lines", "pages", "kind", "searched"]
    list_filter = [CollectionFilter, "enabled", "kind"]
    list_select_related = ["document"]
    search_fields = ["text", "document__title"]
    search_help_text = _("Words of the text or of the document's title")
    show_full_result_count = False
    ordering = ["-document", "ordinal"]
    actions = ["switch_on", "switch_off"]
    readonly_fields = [
        "document_link",
        "heading",
        "kind",
        "lines",
        "pages",
        "characters",
        "context_before",
        "context_after",
    ]
    fieldsets = [
        (None, {"fields": ["document_link", "heading", ("kind", "lines"), ("pages", "characters")]}),
        (_("Text"), {"fields": ["text", "enabled"]}),
        (_("Context that is embedded with it"), {"fields": ["context_before", "context_after"]}),
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Chunk | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Chunk, form: Any, change: bool) -> None:
        try:
            if "text" in form.changed_data:
                edit_chunk(chunk=obj, text=form.cleaned_data["text"])
            elif "enabled" in form.changed_data:
                set_chunk_enabled(chunk=obj, enabled=form.cleaned_data["enabled"])
        except KnowledgeTreeError as error:
            self.message_user(request, str(error), messages.ERROR)

    @admin.action(description=_("Search in these chunks"), permissions=["change"])
    def switch_on(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> None:
        self._set_enabled(request, queryset.filter(enabled=False), enabled=True)

    @admin.action(description=_("Leave these chunks out of search"), permissions=["change"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> None:
        self._set_enabled(request, queryset.filter(enabled=True), enabled=False)

    def _set_enabled(self, request: HttpRequest, chunks: QuerySet[Chunk], *, enabled: bool) -> None:
        changed = 0
        for chunk in chunks.select_related("document"):
            try:
                set_chunk_enabled(chunk=chunk, enabled=enabled)
            except KnowledgeTreeError as error:
                self.message_user(request, f"{chunk}: {error}", messages.ERROR)
            else:
                self.log_change(request, chunk, gettext("Searched.") if enabled else gettext("Not searched any more."))
                changed += 1
        message = ngettext("%(n)d chunk changed.", "%(n)d chunks changed.", changed) % {"n": changed}
        self.message_user(request, message, messages.SUCCESS if changed else messages.WARNING)

    @admin.display(description=_("text"))
    def beginning(self, chunk: Chunk) -> SafeString:
        return format_html('<span class="kt-excerpt">{}</span>', excerpt(chunk.text))

    @admin.display(description=_("document"))
    def document_link(self, chunk: Chunk) -> SafeString:
        address = reverse("admin:ingestion_document_change", args=[chunk.document_id])
        return format_html('<a href="{}" class="text-link">{}</a>', address, chunk.document)

    @admin.display(description=_("headings"))
    def heading(self, chunk: Chunk) -> str:
        return " › ".join(chunk.heading_path) or "–"

    @admin.display(description=_("lines"))
    def lines(self, chunk: Chunk) -> str:
        return span(chunk.line_start, chunk.line_end)

    @admin.display(description=_("pages"))
    def pages(self, chunk: Chunk) -> str:
        return span(chunk.page_start, chunk.page_end) if chunk.page_start else "–"

    @admin.display(description=_("characters"))
    def characters(self, chunk: Chunk) -> str:
        return span(chunk.start, chunk.end)

    @admin.display(description=_("searched"), ordering="enabled")
    def searched(self, chunk: Chunk) -> SafeString:
        return coloured(gettext("yes"), "success") if chunk.enabled else coloured(gettext("no"), "default")


def span(first: int | None, last: int | None) -> str:
    """`3–7`, or `3` where both ends are the same."""
    return str(first) if first == last else f"{first}{JOINER}–{JOINER}{last}"
