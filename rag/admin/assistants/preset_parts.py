"""The parts of a preset in words, beside their defaults."""

from dataclasses import dataclass, fields
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rag.admin.dashboard.dashboard_charts import number
from rag.presets import Preset
from rag.presets.boosts import Boosts

WORDS: dict[str, Promise] = {
    "lexical_limit": gettext_lazy("passages found by words"),
    "dense_limit": gettext_lazy("passages found by meaning"),
    "graph_limit": gettext_lazy("passages found by the graph of names"),
    "fusion": gettext_lazy("how the two rankings are joined"),
    "dense_weight": gettext_lazy("weight of the meaning, 0 to 1"),
    "graph_weight": gettext_lazy("weight of the graph, 0 to 1"),
    "lexicon_weight": gettext_lazy("what other words from the lexicon keep of their weight, 0 to 1"),
    "sentences": gettext_lazy("vectors of single sentences are searched too"),
    "transformations": gettext_lazy("other wordings of the question by a language model"),
    "reranker": gettext_lazy("what orders the best passages anew"),
    "rerank_limit": gettext_lazy("passages that are ordered anew"),
    "rerank_seconds": gettext_lazy("seconds that ordering may take"),
    "rerank_when": gettext_lazy("always, or only when the order is in doubt"),
    "second_weight": gettext_lazy("weight of the second text of a file, 0 to 1"),
    "alike_above": gettext_lazy("passages more alike than this stand for each other"),
    "boosts": gettext_lazy("what lifts a passage besides what it says"),
    "communities": gettext_lazy("weight of groups of documents for broad questions, 0 to 1"),
    "neighbours": gettext_lazy("neighbouring chunks on either side of a passage"),
    "correction": gettext_lazy("a poor search is repeated or widened"),
    "glossary": gettext_lazy("the glossary explains words of the question"),
    "related": gettext_lazy("documents named beside the answer, 0 to 5"),
    "research": gettext_lazy("the question is answered in several steps"),
    "research_seconds": gettext_lazy("seconds within which the last search of a research begins"),
    "research_queries": gettext_lazy("searches of a research at most"),
    "synthesizer": gettext_lazy("how the answer is written"),
    "critique": gettext_lazy("a language model reads its draft for what it leaves unanswered"),
    "verification": gettext_lazy("what checks the answer"),
    "model": gettext_lazy("language model that answers"),
    "source_tokens": gettext_lazy("tokens of passages in the prompt"),
    "min_relevance": gettext_lazy("least relevance of an answer's passages, 0 to 1"),
    "least_answerable": gettext_lazy("chance that the passages answer below which nothing is found, 0 to 1"),
    "certain_confidence": gettext_lazy("confidence from which an answer by rules is given as one, 0 to 1"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPart:
    """`changed`: it differs from `default`, which is that of a preset that says nothing."""

    name: str
    words: str
    value: str
    default: str
    changed: bool


def parts_of(preset: Preset) -> list[ShownPart]:
    """All but the name, in the order of a question's way."""
    plain = Preset(name=preset.name)
    return [
        _part(one.name, getattr(preset, one.name), getattr(plain, one.name))
        for one in fields(Preset)
        if one.name != "name"
    ]


def changed_parts(preset: Preset) -> list[ShownPart]:
    return [part for part in parts_of(preset) if part.changed]


def _part(name: str, value: Any, default: Any) -> ShownPart:
    changed = list(value) != list(default) if name == "transformations" else value != default
    words = str(WORDS.get(name, ""))
    return ShownPart(name=name, words=words, value=said(value), default=said(default), changed=changed)


def said(value: Any) -> str:
    """A value in words; None is what suits the rest, an empty list is a dash."""
    if value is None:
        return _("automatic")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float):
        return number(value, 0 if value == int(value) else 2)
    if isinstance(value, Boosts):
        return _boosts(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value) or "–"


def _boosts(boosts: Boosts) -> str:
    """Those that differ from none."""
    plain = Boosts()
    own = {one.name: getattr(boosts, one.name) for one in fields(Boosts)}
    told = [
        f"{name} {', '.join(f'{k} {v}' for k, v in value.items()) if isinstance(value, dict) else said(value)}"
        for name, value in own.items()
        if value != getattr(plain, name)
    ]
    return "; ".join(told) or "–"
