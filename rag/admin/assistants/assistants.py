from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Field, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultiple, UnfoldAdminSelectWidget

from ingestion.models import Collection
from ingestion.selectors import visible_collections
from rag.admin.assistants.preset_pages import preset_preview
from rag.admin.base import ReaderFacingAdmin
from rag.models import Assistant
from rag.presets import known_names
from rag.selectors import editable_assistants
from rag.services.choice import assistant_troubles


class AssistantForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Assistant
        fields = [
            "name",
            "slug",
            "description",
            "collections",
            "preset_name",
            "parts",
            "instructions",
            "web_search",
            "enabled",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "preset_name" in self.fields:  # not on the page of somebody who may only look
            choices = [("", _("the default")), *((name, name) for name in known_names())]
            self.fields["preset_name"].widget = UnfoldAdminSelectWidget(choices=choices)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        how = {"preset_name": cleaned.get("preset_name", ""), "parts": cleaned.get("parts", {})}
        for name, trouble in assistant_troubles(**how).items():
            self.add_error(name or None, trouble)
        return cleaned


@admin.register(Assistant)
class AssistantAdmin(ReaderFacingAdmin[Assistant]):
    form = AssistantForm
    list_display = ["name", "slug", "preset_name", "enabled"]
    list_filter = ["enabled"]
    search_fields = ["name", "slug", "description"]
    prepopulated_fields = {"slug": ["name"]}
    readonly_fields = ["in_force"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assistant]:
        return editable_assistants(request.user).order_by(*self.get_ordering(request))

    def formfield_for_manytomany(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelMultipleChoiceField[Any] | None:
        if db_field.related_model is Collection:
            kwargs["queryset"] = visible_collections(request.user)
            kwargs["widget"] = UnfoldAdminCheckboxSelectMultiple  # a handful, and each has its label
        return super().formfield_for_manytomany(db_field, request, **kwargs)  # type: ignore[arg-type]

    @admin.display(description=_("preset in force"))
    def in_force(self, assistant: Assistant) -> str:
        """What differs from a plain preset; of a new assistant nothing is known yet."""
        return preset_preview(assistant) if assistant.pk else "–"
