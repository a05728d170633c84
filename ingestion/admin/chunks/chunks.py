from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, Value
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.chunks.columns import FIELDSETS, LIST, READ_ONLY
from ingestion.admin.chunks.filters import DocumentFilter, EditedFilter, PageFilter, QualityFilter, RepeatedFilter
from ingestion.admin.filters import CollectionFilter
from ingestion.models import Chunk
from ingestion.services.chunks import edit_chunk, revert_chunk, set_chunk_enabled
from knowledgetree.errors import KnowledgeTreeError


@admin.register(Chunk)
class ChunkAdmin(KnowledgeAdmin[Chunk]):
    """The chunk viewer. Text and search state change through services, which index the one chunk anew."""

    list_display = LIST
    list_filter = [
        CollectionFilter, DocumentFilter, PageFilter, "kind", QualityFilter, "enabled", EditedFilter, RepeatedFilter,
    ]  # fmt: skip
    document_path = "document"
    list_select_related = ["document"]
    search_fields = ["text", "document__title"]
    search_help_text = _("Words of the text or of the document's title")
    show_full_result_count = False
    ordering = ["-document_id", "ordinal"]  # by "document" Django sorts all chunks by when theirs was changed
    actions = ["switch_on", "switch_off"]
    readonly_fields = READ_ONLY
    fieldsets = FIELDSETS

    def get_urls(self) -> list[URLPattern]:
        revert = self.admin_site.admin_view(require_POST(self.revert_view))
        return [path("<int:pk>/revert/", revert, name="ingestion_chunk_revert"), *super().get_urls()]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Chunk | None = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Chunk], search_term: str
    ) -> tuple[QuerySet[Chunk], bool]:
        """Each row carries what was searched for, so that its column can mark it."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        return found.annotate(searched_for=Value(search_term)), duplicates

    def save_model(self, request: HttpRequest, obj: Chunk, form: Any, change: bool) -> None:
        stored = Chunk.objects.select_related("document").get(pk=obj.pk)
        try:
            if "text" in form.changed_data:
                edit_chunk(chunk=stored, text=form.cleaned_data["text"], enabled=form.cleaned_data["enabled"])
            elif "enabled" in form.changed_data:
                set_chunk_enabled(chunk=stored, enabled=form.cleaned_data["enabled"])
        except KnowledgeTreeError as error:
            self.message_user(request, str(error), messages.ERROR)

    def revert_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        chunk = get_object_or_404(self.get_queryset(request).select_related("document"), pk=pk)
        if not self.has_change_permission(request, chunk):
            raise PermissionDenied
        try:
            revert_chunk(chunk=chunk)
        except KnowledgeTreeError as error:
            self.message_user(request, str(error), messages.ERROR)
        else:
            said = gettext("The chunk says what the document says again.")
            self.log_change(request, chunk, said)
            self.message_user(request, said, messages.SUCCESS)
        return redirect("admin:ingestion_chunk_change", pk)

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
