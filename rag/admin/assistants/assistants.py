"""Assistants and the presets that they are made of."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db.models import Field, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultiple, UnfoldAdminSelectWidget

from ingestion.models import Collection
from ingestion.selectors import visible_collections
from knowledgetree.admin.array_lines import ArrayLinesField
from rag.admin.assistants import part_fields
from rag.admin.assistants.preset_pages import preset_preview
from rag.admin.assistants.trial import AssistantTrial
from rag.admin.base import ReaderFacingAdmin
from rag.models import Assistant
from rag.models.assistants import MOST_SUGGESTIONS
from rag.presets import known_names
from rag.selectors import editable_assistants
from rag.services.choice import assistant_troubles


class AssistantForm(part_fields.PartsForm, forms.ModelForm):  # type: ignore[type-arg]
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
            "suggestions",
            "web_search",
            "enabled",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "preset_name" in self.fields:  # not on the page of somebody who may only look
            choices = [("", _("the default")), *((name, name) for name in known_names())]
            self.fields["preset_name"].widget = UnfoldAdminSelectWidget(choices=choices)
        if "parts" in self.fields:
            parts = self.instance.parts
            self.fields["parts"].label = _("Other parts")
            self.initial["parts"] = {name: value for name, value in parts.items() if name not in part_fields.NAMED}
            self.initial.update(part_fields.initial_of(parts))
        for name in {"description", "instructions", "suggestions"} & self.fields.keys():
            self.fields[name].widget.attrs["rows"] = MOST_SUGGESTIONS

    def clean_suggestions(self) -> list[str]:
        suggested: list[str] = self.cleaned_data["suggestions"]
        if len(suggested) > MOST_SUGGESTIONS:
            raise forms.ValidationError(_("Write at most %(n)d.") % {"n": MOST_SUGGESTIONS})
        return suggested

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        parts = cleaned.get("parts") or {}
        if isinstance(parts, dict):
            parts = cleaned["parts"] = parts | part_fields.parts_from(cleaned)
        for name, trouble in assistant_troubles(preset_name=cleaned.get("preset_name", ""), parts=parts).items():
            self.add_error(name or None, trouble)
        return cleaned


@admin.register(Assistant)
class AssistantAdmin(AssistantTrial, ReaderFacingAdmin[Assistant]):
    form = AssistantForm
    formfield_overrides = {ArrayField: {"form_class": ArrayLinesField}}
    list_display = ["name", "slug", "preset_name", "enabled"]
    list_filter = ["enabled"]
    search_fields = ["name", "slug", "description"]
    prepopulated_fields = {"slug": ["name"]}
    readonly_fields = ["in_force"]
    change_form_outer_after_template = "admin/rag/assistant/trial.html"

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}
        js = ["admin/knowledgetree/trial.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assistant]:
        return editable_assistants(request.user).order_by(*self.get_ordering(request))

    def get_fieldsets(self, request: HttpRequest, obj: Assistant | None = None) -> Any:
        """Whoever may only look sees the parts as they are kept: a field of the form alone is no value."""
        told = ["name", "slug", "description", "suggestions", "enabled"]
        search = ["collections", "preset_name", "instructions", "web_search"]
        may_change = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        if not may_change:
            return [(None, {"fields": [*told, *search, "parts", "in_force"]})]
        folded = {"classes": ["collapse"]}
        return [
            (None, {"fields": [*told, *search]}),
            (_("How it answers"), {"fields": part_fields.field_names(part_fields.ANSWERING), **folded}),
            (_("How it searches"), {"fields": part_fields.field_names(part_fields.SEARCHING), **folded}),
            (_("Advanced"), {"fields": ["parts", "in_force"], **folded}),
        ]

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
