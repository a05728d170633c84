"""What is tried on the hit-testing page: a question, its reader, and two configurations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.postgres.forms import SimpleArrayField
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminDateWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from ingestion.models import Collection
from ingestion.models.viewers import Viewer, is_superuser
from ingestion.selectors import visible_collections
from knowledgetree.conf import rag_settings
from rag.models import Assistant, EvaluationDataset
from rag.presets import known_names
from rag.selectors import visible_datasets
from rag.services.hit_testing import Configuration
from rag.services.search import MAX_LENGTH
from rag.types import Filters

MYSELF, ANONYMOUS, SOMEBODY = "", "anonymous", "user"


class HitTestForm(forms.Form):
    """The question, the set that marks go to, and whose eyes it is seen with."""

    question = forms.CharField(label=gettext_lazy("question"), max_length=MAX_LENGTH, widget=UnfoldAdminTextInputWidget)
    dataset = forms.ModelChoiceField(
        EvaluationDataset.objects.none(),
        label=gettext_lazy("evaluation dataset"),
        required=False,
        empty_label=gettext_lazy("none"),
        widget=UnfoldAdminSelectWidget,
        help_text=gettext_lazy("Marks go to it; its questions are measured."),
    )
    reader = forms.ChoiceField(
        label=gettext_lazy("as which reader"),
        required=False,
        choices=[
            (MYSELF, gettext_lazy("as myself")),
            (ANONYMOUS, gettext_lazy("as somebody who is not signed in")),
            (SOMEBODY, gettext_lazy("as the user named beside")),
        ],
        widget=UnfoldAdminSelectWidget,
    )
    username = forms.CharField(label=gettext_lazy("username"), required=False, widget=UnfoldAdminTextInputWidget)

    def __init__(self, data: Any, *, request: HttpRequest) -> None:
        super().__init__(data, initial={"dataset": request.GET.get("dataset")})
        self._user = request.user
        self.fields["dataset"].queryset = visible_datasets(request.user)  # type: ignore[attr-defined]
        _capitalise(self)
        if not is_superuser(request.user):
            del self.fields["reader"], self.fields["username"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("reader") == SOMEBODY and self._named(cleaned) is None:
            self.add_error("username", _("There is no such user."))
        return cleaned

    @property
    def viewer(self) -> Viewer:
        """The value of a valid form."""
        reader = self.cleaned_data.get("reader", MYSELF)
        if reader == ANONYMOUS:
            return AnonymousUser()
        return (self._named(self.cleaned_data) if reader == SOMEBODY else None) or self._user

    @staticmethod
    def _named(cleaned: dict[str, Any]) -> User | None:
        return User.objects.filter(username=cleaned.get("username", ""), is_active=True).first()


class PartsField(forms.JSONField):
    """Nothing is shown as nothing, not as "null"."""

    def prepare_value(self, value: Any) -> Any:
        return "" if value is None else super().prepare_value(value)


class ConfigurationForm(forms.Form):
    """One column. What is left empty is as the preset, the assistant or the collection say."""

    preset = forms.ChoiceField(label=gettext_lazy("preset"), required=False, widget=UnfoldAdminSelectWidget)
    assistant = forms.ModelChoiceField(
        Assistant.objects.filter(enabled=True),
        label=gettext_lazy("assistant"),
        required=False,
        to_field_name="slug",
        empty_label=gettext_lazy("none"),
        widget=UnfoldAdminSelectWidget,
    )
    reranker = forms.ChoiceField(label=gettext_lazy("reranker"), required=False, widget=UnfoldAdminSelectWidget)
    fusion = forms.ChoiceField(
        label=gettext_lazy("joining of the rankings"), required=False, widget=UnfoldAdminSelectWidget
    )
    parts = PartsField(
        label=gettext_lazy("other parts of the preset"),
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=gettext_lazy('As JSON, for example {"neighbours": 1, "alike_above": 0.9}.'),
        error_messages={"invalid": gettext_lazy('This is not JSON: write an object such as {"neighbours": 1}.')},
    )
    collections = forms.ModelMultipleChoiceField(
        Collection.objects.none(),
        label=gettext_lazy("collections"),
        required=False,
        to_field_name="slug",
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("None chosen: all that the reader may see."),
    )
    categories = SimpleArrayField(
        forms.CharField(max_length=100), label=gettext_lazy("categories"), required=False,
        help_text=gettext_lazy("Separated by commas."), widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip
    tags = SimpleArrayField(
        forms.CharField(max_length=60), label=gettext_lazy("tags"), required=False,
        help_text=gettext_lazy("Separated by commas."), widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip
    valid_on = forms.DateField(label=gettext_lazy("in force on"), required=False, widget=UnfoldAdminDateWidget)
    include_expired = forms.BooleanField(
        label=gettext_lazy("also documents no longer in force"), required=False, widget=UnfoldBooleanWidget
    )

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        as_preset = ("", _("as the preset says"))
        rerankers = sorted(rag_settings().components.get("rerankers", {}))
        self._choose("preset", [("", _("the default")), *((name, name) for name in known_names())])
        self._choose("reranker", [as_preset, *((name, RERANKERS.get(name, name)) for name in rerankers)])
        self._choose("fusion", [as_preset, *FUSIONS.items()])
        self.fields["collections"].queryset = visible_collections(viewer)  # type: ignore[attr-defined]
        _capitalise(self)

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean_parts(self) -> dict[str, Any]:
        parts = self.cleaned_data["parts"] or {}
        if not isinstance(parts, dict):
            raise forms.ValidationError(_("Write an object: {…}."))
        return parts

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in ("reranker", "fusion"):
            if cleaned.get(name) and name in cleaned.get("parts", {}):
                self.add_error("parts", _("%(part)s is chosen above already: leave it out here.") % {"part": name})
        return cleaned

    @property
    def narrowed(self) -> bool:
        """Whether something is given of what the page folds away."""
        folded = ("parts", "collections", "categories", "tags", "valid_on", "include_expired")
        return self.is_bound and any(self.data.get(self.add_prefix(name)) for name in folded)

    @property
    def configuration(self) -> Configuration:
        """The value of a valid form."""
        given = self.cleaned_data
        own = {name: given[name] for name in ("reranker", "fusion") if given[name]}
        return Configuration(
            assistant=given["assistant"].slug if given["assistant"] else "",
            preset=given["preset"],
            parts={**given["parts"], **own},
            filters=Filters(
                collections=tuple(collection.slug for collection in given["collections"]),
                categories=tuple(given["categories"]),
                tags=tuple(given["tags"]),
                valid_on=given["valid_on"],
                include_expired=given["include_expired"],
            ),
        )


def _capitalise(form: forms.Form) -> None:
    for field in form.fields.values():
        field.label = capfirst(field.label)


RERANKERS = {
    "none": gettext_lazy("no reranking"),
    "features": gettext_lazy("by features of the passages"),
    "cross_encoder": gettext_lazy("cross-encoder (neural model)"),
    "diversity": gettext_lazy("diversity of the passages"),
    "llm": gettext_lazy("language model"),
}
FUSIONS = {
    "rrf": gettext_lazy("by ranks (RRF)"),
    "weighted": gettext_lazy("weighted sum of scores"),
    "max": gettext_lazy("the better of the two scores"),
}
