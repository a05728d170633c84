"""List filters of the chunk viewer: where a chunk stands, how it served, whether it was edited or stands twice."""

from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.models import Chunk, ChunkSketch
from ingestion.selectors import visible_documents

DOCUMENT = "document__id__exact"
"""The parameter by which other pages lead to the chunks of a document."""


class DocumentFilter(SimpleListFilter):
    """Shown for the document that was chosen; a list of thousands would help nobody."""

    title = _("document")
    parameter_name = DOCUMENT

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        chosen = request.GET.get(DOCUMENT, "")
        documents = visible_documents(request.user)
        found = documents.filter(pk=chosen).first() if chosen.isascii() and chosen.isdigit() else None
        return [(str(found.pk), found.title)] if found else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> QuerySet[Chunk]:
        value = self.value()
        return queryset.filter(document=int(value)) if value and value.isascii() and value.isdigit() else queryset


class PageFilter(SimpleListFilter):
    """The pages of the chosen document, where it has pages."""

    title = _("page")
    parameter_name = "page_of_document"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        chosen = request.GET.get(DOCUMENT, "")
        if not (chosen.isascii() and chosen.isdigit()):
            return []
        of_document = model_admin.get_queryset(request).filter(document=int(chosen), page_start__isnull=False)
        pages = of_document.order_by("page_start").values_list("page_start", flat=True).distinct()
        return [(str(page), gettext("page %(n)d") % {"n": page}) for page in pages[:500]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> QuerySet[Chunk]:
        value = self.value()
        if not value or not value.isascii() or not value.isdigit():
            return queryset
        return queryset.filter(page_start__lte=int(value), page_end__gte=int(value))


class QualityFilter(SimpleListFilter):
    """As the last answer that it was found for was graded."""

    title = _("quality of the last search")
    parameter_name = "quality"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("HIGH", _("high")), ("MEDIUM", _("medium")), ("LOW", _("low")), ("none", _("never found"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> QuerySet[Chunk]:
        value = self.value()
        return queryset.filter(retrieval_quality="" if value == "none" else value) if value else queryset


class EditedFilter(SimpleListFilter):
    title = _("edited")
    parameter_name = "edited"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("by an editor")), ("no", _("as in the document"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> QuerySet[Chunk]:
        as_written = Q(original_text="")
        return queryset.filter(~as_written if self.value() == "yes" else as_written) if self.value() else queryset


class RepeatedFilter(SimpleListFilter):
    """Chunks whose words stand elsewhere in exactly the same order: the report on what is stored twice."""

    title = _("repeated")
    parameter_name = "repeated"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("another chunk says the same"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> QuerySet[Chunk]:
        same = ChunkSketch.objects.filter(signature=OuterRef("sketch__signature"))
        twice = Exists(same.exclude(chunk=OuterRef("pk")))
        return queryset.filter(twice) if self.value() else queryset
