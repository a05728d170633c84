from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.filters import CollectionFilter, ValueFilter
from ingestion.admin.labels import excerpt
from ingestion.errors import IngestionError
from ingestion.models import GlossaryEntry
from ingestion.services.synonyms import save_glossary_entry, searchable_phrase
from knowledgetree.admin.array_lines import ArrayLinesField


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
