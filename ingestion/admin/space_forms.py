"""What is asked before a space is made or activated."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from ingestion.models import EmbeddingSpace
from ingestion.reembedding.activation import activation_gate
from knowledgetree.conf import rag_settings


class LabelledForm(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.label = capfirst(str(field.label))


class NewSpaceForm(LabelledForm):
    embedder = forms.ChoiceField(label=_("embedder"), widget=UnfoldAdminSelectWidget)
    model = forms.CharField(
        label=_("model"), max_length=300, required=False, widget=UnfoldAdminTextInputWidget,
        help_text=_("Empty: the one that the settings give to the embedder."),
    )  # fmt: skip
    sentence_vectors = forms.BooleanField(
        label=_("vectors of sentences"), required=False, widget=UnfoldBooleanWidget,
        help_text=_("A vector for every sentence besides the chunk's: finds a detail in a long chunk."),
    )  # fmt: skip
    name = forms.SlugField(
        label=_("name"), max_length=80, required=False, widget=UnfoldAdminTextInputWidget,
        help_text=_("Empty: one is made from the embedder."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = sorted(rag_settings().components.get("embedders", {}))
        self.fields["embedder"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        self.initial.setdefault("embedder", rag_settings().embedder)

    def wanted(self) -> dict[str, Any]:
        """The arguments of `create_space`."""
        model = self.cleaned_data.pop("model")
        return {**self.cleaned_data, "options": {"model": model} if model else None}


class ActivationForm(LabelledForm):
    gate = forms.ChoiceField(
        label=_("golden set"), required=False, widget=UnfoldAdminSelectWidget,
        help_text=_("Evaluation dataset that must not get worse by the activation; empty: none is measured."),
    )  # fmt: skip
    margin = forms.FloatField(
        label=_("tolerated loss of nDCG@10"), initial=0.01, min_value=0, max_value=1,
        widget=UnfoldAdminDecimalFieldWidget,
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = [(name, name) for name in activation_gate().known()]
        self.fields["gate"].choices = [("", "–"), *known]  # type: ignore[attr-defined]


def verbs_of(space: EmbeddingSpace) -> list[str]:
    """What may be done with the space as it is now."""
    if space.status == EmbeddingSpace.Status.ACTIVE:
        return []
    if space.status == EmbeddingSpace.Status.RETIRED:
        return ["activate", "drop"]
    going = "resume" if space.paused or space.error else "pause"
    return [going, "activate", "retire", "drop"]
