"""The question box: the question, who answers it, and what its search is narrowed to."""

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from rag.chat.asking.filter_groups import LEGENDS
from rag.models import Conversation
from rag.selectors import conversations_of, offered_assistants
from rag.selectors.filter_values import FilterValue, filter_values
from rag.types import Filters

_GONE = {"invalid_choice": _("“%(value)s” cannot be chosen (any more).")}


class ChoicesField(forms.MultipleChoiceField):
    """Values of a filter; the empty one of a list box is no choice."""

    def __init__(self, label: Any) -> None:
        super().__init__(required=False, label=label, error_messages=_GONE)

    def to_python(self, value: Any) -> list[str]:
        return [one for one in super().to_python(value) if one]


class QuestionForm(forms.Form):
    """The pipeline judges the question; here the choices must be the viewer's own."""

    question = forms.CharField(required=False, strip=True, widget=forms.Textarea)
    insist = forms.CharField(required=False, strip=True)
    again = forms.CharField(required=False, strip=True)
    conversation = forms.ModelChoiceField(Conversation.objects.none(), required=False)
    assistant = forms.ChoiceField(required=False, label=_("Assistant"), error_messages=_GONE)
    collections = ChoicesField(LEGENDS["collections"])
    categories = ChoicesField(LEGENDS["categories"])
    tags = ChoicesField(LEGENDS["tags"])
    sources = ChoicesField(LEGENDS["sources"])
    versions = ChoicesField(LEGENDS["versions"])
    languages = ChoicesField(LEGENDS["languages"])
    metadata = ChoicesField(_("Other properties"))
    valid_on = forms.DateField(required=False, label=_("In force on"))
    modified_from = forms.DateField(required=False, label=_("Changed from"))
    modified_to = forms.DateField(required=False, label=_("Changed until"))
    include_expired = forms.BooleanField(required=False, label=_("Also documents no longer in force"))

    def __init__(self, *args: Any, viewer: Viewer, session_key: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._viewer = viewer
        self._choose("collections", lambda: list(visible_collections(viewer).values_list("slug", "name")))
        self._choose("assistant", lambda: [("", ""), *offered_assistants(viewer).values_list("slug", "name")])
        for name in ("categories", "tags", "sources", "versions", "languages", "metadata"):
            self._choose(name, lambda name=name: [(one.value, one.label) for one in self.values if one.filter == name])
        conversation = self.fields["conversation"]
        assert isinstance(conversation, forms.ModelChoiceField)  # noqa: S101  for the type checker
        conversation.queryset = conversations_of(viewer, session_key)

    def _choose(self, name: str, choices: Any) -> None:
        """`choices` are asked for when a value is there to be compared with them."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  for the type checker
        field.choices = choices

    @cached_property
    def values(self) -> tuple[FilterValue, ...]:
        """What there is to choose."""
        return filter_values(self._viewer)

    def clean_question(self) -> str:
        """As it was typed: browsers send two characters for the end of a line."""
        return str(self.cleaned_data["question"]).replace("\r\n", "\n")

    def clean_metadata(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for written in self.cleaned_data["metadata"]:
            fields |= json.loads(written)  # one of ours: it was compared with the choices
        return fields

    def clean(self) -> None:
        start, end = self.cleaned_data.get("modified_from"), self.cleaned_data.get("modified_to")
        if start and end and end < start:
            self.add_error("modified_to", gettext("This day lies before “Changed from”."))

    @property
    def asked(self) -> str:
        """The question; one that is insisted on, or asked again, counts, whatever stands in the box."""
        given = self.cleaned_data
        return given.get("again") or given.get("insist") or given.get("question") or ""

    @property
    def problems(self) -> list[str]:
        """Why these choices cannot be searched with; the question itself is the pipeline's to judge."""
        return list(self._problems())

    def _problems(self) -> Iterator[str]:
        for name, errors in self.errors.items():
            if name not in ("question", "insist", "again", "conversation"):
                yield from (f"{self.fields[name].label}: {error}" for error in errors)

    @property
    def filters(self) -> Filters:
        """The valid choices. A day to be in force on is narrower than “also no longer in force”, and counts."""
        given = self.cleaned_data
        lists: dict[str, Any] = {name: tuple(given.get(name) or ()) for name in LEGENDS}
        return Filters(
            **lists,
            metadata=given.get("metadata") or {},
            valid_on=given.get("valid_on"),
            modified_from=given.get("modified_from"),
            modified_to=given.get("modified_to"),
            include_expired=bool(given.get("include_expired")) and not given.get("valid_on"),
        )
