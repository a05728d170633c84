from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.forms import SimpleArrayField
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.filters import CollectionFilter, ValueFilter
from ingestion.admin.labels import excerpt
from ingestion.errors import IngestionError
from ingestion.models import GlossaryEntry
from ingestion.services.synonyms import save_glossary_entry, searchable_phrase


class ArrayLinesField(SimpleArrayField):
    """An array as lines; blank ones and repetitions do not count."""

    widget = UnfoldAdminTextareaWidget

    def __init__(self, base_field: forms.Field, **options: Any) -> None:
        super().__init__(base_field, **(options | {"delimiter": "\n", "widget": self.widget}))

    def to_python(self, value: Any) -> Any:
        lines = value.splitlines() if isinstance(value, str) else value or []
        return super().to_python("\n".join(dict.fromkeys(line.strip() for line in lines if line.strip())))


class GlossaryForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for field, names in (("term", [cleaned.get("term", "")]), ("aliases", cleaned.get("aliases", []))):
            for name in filter(None, names):
                try:
                    searchable_phrase(name)
                except IngestionError as error:
                    self.add_error(field, error.message)
        return cleaned


class KindFilter(ValueFilter):
    title = _("kind")
    parameter_name = "kind"


@admin.register(GlossaryEntry)
class GlossaryAdmin(KnowledgeAdmin[GlossaryEntry]):
    shared = True
    form = GlossaryForm
    formfield_overrides = {ArrayField: {"form_class": ArrayLinesField}}
    list_display = ["term", "other_names", "kind", "meaning", "collection"]
    list_filter = [CollectionFilter, KindFilter]
    list_select_related = ["collection"]
    search_fields = ["term", "aliases", "definition"]
    fields = ["term", "kind", "definition", "aliases", "collection"]

    def save_model(self, request: HttpRequest, obj: GlossaryEntry, form: Any, change: bool) -> None:
        save_glossary_entry(entry=obj)

    @admin.display(description=_("other names"))
    def other_names(self, entry: GlossaryEntry) -> str:
        return ", ".join(entry.aliases) or "–"

    @admin.display(description=_("definition"))
    def meaning(self, entry: GlossaryEntry) -> str:
        return excerpt(entry.definition) or "–"
