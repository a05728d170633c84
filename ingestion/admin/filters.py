"""List filters that offer only what the editor may see."""

from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ingestion.selectors import visible_collections


class CollectionFilter(SimpleListFilter):
    """Django's own filter by relation would name every collection to everybody."""

    title = _("collection")
    parameter_name = "collection"
    path = "collection"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(visible_collections(request.user).values_list("slug", "name"))

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{f"{self.path}__slug": self.value()}) if self.value() else queryset


class ValueFilter(SimpleListFilter):
    """The values of the field `parameter_name` in the rows that the editor sees, without the empty one."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        field = self.parameter_name or ""
        used = model_admin.get_queryset(request).exclude(**{field: ""}).order_by(field)
        return [(value, value) for value in used.values_list(field, flat=True).distinct()[:200]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.parameter_name or "": self.value()}) if self.value() else queryset


class CategoryFilter(ValueFilter):
    title = _("category")
    parameter_name = "category"


class MediaTypeFilter(ValueFilter):
    title = _("type")
    parameter_name = "media_type"


class WarningsFilter(SimpleListFilter):
    """Documents of which something was left out or reads poorly."""

    title = _("warnings")
    parameter_name = "warnings"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("with warnings")), ("no", _("without warnings"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "yes":
            return queryset.exclude(warnings=[])
        return queryset.filter(warnings=[]) if self.value() == "no" else queryset
