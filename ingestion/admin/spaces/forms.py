"""What is asked before a space is made or activated."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from ingestion.admin.collections.golden_set_form import GoldenSetForm
from ingestion.admin.labelled_form import LabelledForm
from ingestion.models import EmbeddingSpace
from ingestion.renewal.gate import activation_gate, default_gate
from knowledgetree.conf import rag_settings


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


class ActivationForm(GoldenSetForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["gate"].help_text = _(
            "Evaluation dataset that must not get worse by the activation; empty: none is measured."
        )
        self.offer(activation_gate().known(), default=default_gate())


def verbs_of(space: EmbeddingSpace) -> list[str]:
    """What may be done with the space as it is now."""
    if space.status == EmbeddingSpace.Status.ACTIVE:
        return []
    if space.status == EmbeddingSpace.Status.RETIRED:
        return ["activate", "drop"]
    going = "resume" if space.paused or space.error else "pause"
    return [going, "activate", "retire", "drop"]
