"""What the question box offers to narrow a search to, and which of it is chosen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import get_language_info, gettext, gettext_lazy

from ingestion.text.dictionary_order import dictionary_order
from rag.selectors.filter_values import FilterValue

LEGENDS = {
    "collections": gettext_lazy("Collections"),
    "categories": gettext_lazy("Category"),
    "tags": gettext_lazy("Tags"),
    "sources": gettext_lazy("Source"),
    "versions": gettext_lazy("Version"),
    "languages": gettext_lazy("Document language"),
}
"""Of the filters that are lists, in the order in which they are offered."""
MOST_FIELDS = 6
"""Of metadata."""
SHOWN_AT_ONCE = 12
"""Values of a filter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    value: str
    label: str
    documents: int
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterGroup:
    """`single`: of its values one at most can be chosen, because no document has two."""

    name: str
    legend: str
    options: tuple[Option, ...]
    hint: str = ""
    single: bool = False

    @property
    def long(self) -> bool:
        """Too long to stand open among the others."""
        return len(self.options) > SHOWN_AT_ONCE

    @property
    def narrowed(self) -> bool:
        return any(option.chosen for option in self.options)


def filter_groups(values: Sequence[FilterValue], chosen: Mapping[str, Sequence[str]]) -> list[FilterGroup]:
    """`chosen` are values by the name of the filter; what is not offered is left out."""
    of_lists = [
        FilterGroup(
            name=name,
            legend=str(legend),
            options=_options((value for value in values if value.filter == name), chosen.get(name, ())),
            hint=gettext("A document must have all of them.") if name == "tags" else "",
        )
        for name, legend in LEGENDS.items()
    ]
    return [group for group in [*of_lists, *_of_metadata(values, chosen.get("metadata", ()))] if group.options]


def _of_metadata(values: Iterable[FilterValue], chosen: Sequence[str]) -> list[FilterGroup]:
    fields = sorted(
        (value for value in values if value.filter == "metadata"), key=lambda one: dictionary_order(one.key)
    )
    groups = [
        FilterGroup(name="metadata", legend=_field_name(key), options=_options(of_field, chosen), single=True)
        for key, of_field in groupby(fields, key=lambda one: one.key)
    ]
    return groups[:MOST_FIELDS]


def _options(values: Iterable[FilterValue], chosen: Sequence[str]) -> tuple[Option, ...]:
    options = [
        Option(value=one.value, label=_label(one), documents=one.documents, chosen=one.value in chosen)
        for one in values
    ]
    return tuple(sorted(options, key=lambda option: dictionary_order(option.label)))


def _label(value: FilterValue) -> str:
    if value.filter == "languages":
        return _language_name(value.value)
    if value.filter == "metadata" and value.label in ("true", "false"):
        return gettext("yes") if value.label == "true" else gettext("no")
    return value.label


def _language_name(code: str) -> str:
    try:
        return str(get_language_info(code)["name_translated"])
    except KeyError:
        return code


def _field_name(key: str) -> str:
    name = key.replace("_", " ").strip()
    return name[:1].upper() + name[1:]
