"""Parts of a preset as fields with names, for those who set up an assistant and write no JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from rag.admin.assistants.preset_parts import WORDS

PREFIX = "part_"
_AS_PRESET = ("", _("as in the preset"))


def _number_widget() -> UnfoldAdminIntegerFieldWidget:
    """Empty says: as in the preset."""
    return UnfoldAdminIntegerFieldWidget(attrs={"placeholder": _AS_PRESET[1]})


def _choice(part: str, **choices: Promise) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_label(part), choices=[_AS_PRESET, *choices.items()], required=False, widget=UnfoldAdminSelectWidget
    )


def _switch(part: str) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=_label(part), choices=[_AS_PRESET, ("true", _("yes")), ("false", _("no"))], required=False,
        coerce=lambda value: value == "true", empty_value="", widget=UnfoldAdminSelectWidget,
    )  # fmt: skip


def _share(part: str) -> forms.FloatField:
    return forms.FloatField(
        label=_label(part), min_value=0, max_value=1, step_size=0.05, required=False, widget=_number_widget()
    )


def _few(part: str) -> forms.IntegerField:
    return forms.IntegerField(label=_label(part), min_value=0, max_value=5, required=False, widget=_number_widget())


def _label(part: str) -> Any:
    words: Any = WORDS[part]
    return capfirst(words)  # lazily: in the language of whoever looks


class PartsForm(forms.Form):
    """The parts that have a field of their own."""

    part_synthesizer = _choice(
        "synthesizer",
        extractive=_("the best sentences of the documents, without a model"),
        compact=_("a language model, from all passages at once"),
        refine=_("a language model, passage by passage"),
        tree_summarize=_("a language model, from summaries of passages"),
    )
    part_verification = _choice("verification", rules=_("rules"), llm=_("rules, and a language model in doubt"))
    part_research = _choice(
        "research",
        off=_("never"),
        planned=_("by a plan, for composite questions"),
        agentic=_("as a language model decides"),
    )
    part_correction = _switch("correction")
    part_critique = _switch("critique")
    part_glossary = _switch("glossary")
    part_related = _few("related")
    part_min_relevance = _share("min_relevance")
    part_certain_confidence = _share("certain_confidence")
    part_neighbours = _few("neighbours")
    part_rerank_when = _choice("rerank_when", always=_("always"), uncertain=_("when the order is in doubt"))
    part_dense_weight = _share("dense_weight")
    part_graph_weight = _share("graph_weight")
    part_communities = _share("communities")
    part_sentences = _switch("sentences")


NAMED = [name.removeprefix(PREFIX) for name in PartsForm.base_fields]
_FIRST_OF_SEARCH = NAMED.index("neighbours")
ANSWERING, SEARCHING = NAMED[:_FIRST_OF_SEARCH], NAMED[_FIRST_OF_SEARCH:]


def field_names(parts: Sequence[str]) -> list[str]:
    return [f"{PREFIX}{name}" for name in parts]


def initial_of(parts: Mapping[str, Any]) -> dict[str, Any]:
    """What the named fields show of an assistant's parts; a switch has its value as a word."""
    return {
        f"{PREFIX}{name}": str(value).lower() if isinstance(value, bool) else value
        for name, value in parts.items()
        if name in NAMED
    }


def parts_from(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The parts that were chosen by name; what is empty is as in the preset."""
    chosen = {name: cleaned.get(f"{PREFIX}{name}") for name in NAMED}
    return {name: value for name, value in chosen.items() if value is not None and value != ""}
