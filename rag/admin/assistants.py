from typing import Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from rag.admin.base import ReaderFacingAdmin
from rag.admin.presets_seen import preset_preview
from rag.models import Assistant
from rag.presets import known_names


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


@admin.register(Assistant)
class AssistantAdmin(ReaderFacingAdmin[Assistant]):
    form = AssistantForm
    list_display = ["name", "slug", "preset_name", "enabled"]
    list_filter = ["enabled"]
    search_fields = ["name", "slug", "description"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["collections"]
    readonly_fields = ["in_force"]

    @admin.display(description=_("preset in force"))
    def in_force(self, assistant: Assistant) -> str:
        """What differs from a plain preset; of a new assistant nothing is known yet."""
        return preset_preview(assistant) if assistant.pk else "–"
