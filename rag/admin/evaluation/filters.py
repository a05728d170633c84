"""List filters that name only the sets that the user may see."""

from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rag.selectors import visible_datasets, visible_runs

_MOST = 500


class DatasetFilter(SimpleListFilter):
    """Narrows questions to those of a set."""

    title = _("evaluation dataset")
    parameter_name = "dataset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(pk), name) for pk, name in visible_datasets(request.user).values_list("pk", "name")[:_MOST]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return queryset.filter(dataset=int(chosen)) if chosen and chosen.isdecimal() else queryset


class MeasuredFilter(SimpleListFilter):
    """Narrows runs, which know a set by its name."""

    title = _("evaluation dataset")
    parameter_name = "measured"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        names = visible_runs(request.user).order_by("dataset").values_list("dataset", flat=True).distinct()
        return [(name, name) for name in names[:_MOST]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(dataset=self.value()) if self.value() else queryset
