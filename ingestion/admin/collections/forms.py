"""A collection set up with a name and a choice of readers; the rest can wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminRadioSelectWidget

from ingestion.models import Collection
from ingestion.services.collections import collection_troubles, free_identifier

if TYPE_CHECKING:
    _Form = forms.ModelForm[Collection]
else:
    _Form = forms.ModelForm

Visibility = Collection.Visibility
CHOICES = [
    (Visibility.PUBLIC.value, gettext_lazy("Everyone – whoever opens this site, also without an account")),
    (Visibility.INTERNAL.value, gettext_lazy("Everyone who signs in – all who have an account here")),
    (Visibility.RESTRICTED.value, gettext_lazy("Chosen groups – only their members and administrators")),
]


class CollectionForm(_Form):
    editor: ClassVar[User]  # set by the admin, for each request

    class Meta:
        model = Collection
        fields = [
            "name", "slug", "description", "visibility", "groups", "mask_personal_data", "only_when_chosen",
            "preset", "lemma_weight", "form_weight",
        ]  # fmt: skip
        widgets = {
            "visibility": UnfoldAdminRadioSelectWidget(),
            "groups": UnfoldAdminCheckboxSelectMultipleWidget(),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if slug := self.fields.get("slug"):  # who may only look gets no fields
            slug.required = False
            slug.help_text = _("Used in addresses and commands. Left empty it is made of the name.")
        if visibility := self.fields.get("visibility"):
            visibility.choices = CHOICES  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "slug" in cleaned and not cleaned["slug"]:
            cleaned["slug"] = self.instance.slug or free_identifier(cleaned.get("name", ""))
        troubles = collection_troubles(
            visibility=cleaned.get("visibility", ""),
            groups=list(cleaned.get("groups", ())),
            preset=cleaned.get("preset", ""),
            editor=self.editor,
        )
        for name, trouble in troubles.items():
            self.add_error(name if name in self.fields else None, trouble)
        return cleaned
