"""List filters by what was found in documents: near-duplicates and personal data."""

from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ingestion.models import Document, PersonalData, SimilarDocument
from ingestion.selectors import in_visible_collections


class SimilarFilter(SimpleListFilter):
    """Only likeness to documents that the editor may see counts."""

    title = _("near-duplicates")
    parameter_name = "similar"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("has near-duplicates")), ("same", _("has a copy with the same text"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:
        if not self.value():
            return queryset
        similar = SimilarDocument.objects.filter(document=OuterRef("pk"))
        pairs = in_visible_collections(similar, request.user, path="other__collection", document="other")
        return queryset.filter(Exists(pairs.filter(similarity=1.0) if self.value() == "same" else pairs))


class PersonalDataFilter(SimpleListFilter):
    title = _("personal data")
    parameter_name = "personal_data"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("any", _("any")), *PersonalData.Kind.choices, ("none", _("none found"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:
        found = PersonalData.objects.filter(document=OuterRef("pk"))
        if self.value() in PersonalData.Kind.values:
            return queryset.filter(Exists(found.filter(kind=self.value())))
        if self.value() == "none":
            return queryset.filter(~Exists(found))
        return queryset.filter(Exists(found)) if self.value() == "any" else queryset
