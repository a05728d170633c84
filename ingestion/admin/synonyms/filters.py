"""The imported thesaurus has thousands of groups; they show when somebody asks for them."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ingestion.models import SynonymGroup

_ALL = "all"


class SourceFilter(SimpleListFilter):
    """Groups of editors unless another choice is made; "all" is a choice of its own."""

    title = _("written by")
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*SynonymGroup.Source.choices, (_ALL, _("All"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        for value, title in self.lookup_choices:
            chosen = value == (self.value() or SynonymGroup.Source.SYNONYM)
            address = changelist.get_query_string({self.parameter_name: value})
            yield {"selected": chosen, "query_string": address, "display": title}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        source = self.value() or SynonymGroup.Source.SYNONYM
        return queryset if source == _ALL else queryset.filter(source=source)
