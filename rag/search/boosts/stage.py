"""Lifts passages for what they are, by as much as the preset allows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rag.search.boosts.intent import intent
from rag.search.boosts.question import keywords, phrase
from rag.search.context import SearchContext
from rag.types import Boost, Passage

HALF_LIFE = 365
"""Days after which the lift is half of the greatest: regulations are renewed by the year."""


def recency(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """Halves with every year since the document came into force or, where that is not known, last changed."""
    if passage.dated is None:
        return 0.0, ""
    age = max(0, (timezone.localdate() - passage.dated).days)
    reason = _("Newer document, of %(day)s") % {"day": date_format(passage.dated)}
    return search.preset.boosts.recency * 0.5 ** (age / HALF_LIFE), reason


def linked(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """By the passage's score in the graph, in [0, 1]; the reason is the path of names that leads there."""
    explanation = passage.explanation
    return search.preset.boosts.linked * (explanation.graph_score or 0.0), " → ".join(explanation.graph_path)


def document_type(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """By media type, such as "application/pdf"."""
    lift = search.preset.boosts.document_type.get(passage.media_type, 0.0)
    return lift, _("Preferred type of document (%(type)s)") % {"type": passage.media_type}


def category(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """By the document's category, as editors wrote it."""
    lift = search.preset.boosts.category.get(passage.category, 0.0)
    return lift, _("Preferred category (%(category)s)") % {"category": passage.category}


Lift = Callable[[SearchContext, Passage], tuple[float, str]]
"""How much a passage is lifted, from 0 to the preset's greatest lift of that kind, and why, for the reader."""

_LEAST = 0.005  # what the explanation would show as +0.00 is none


def alike(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """Stands for others that say the same (`rag.search.stages.deduplication`)."""
    others = len(passage.explanation.alike)
    if not others:
        return 0.0, ""
    reason = ngettext("%(n)d other passage says the same", "%(n)d other passages say the same", others)
    return search.preset.boosts.alike, reason % {"n": others}


LIFTS: Mapping[str, Lift] = {
    lift.__name__: lift for lift in (keywords, phrase, intent, recency, document_type, category, alike, linked)
}


class Boosting:
    """Orders by `similarity` x score + lifts, where scores run from 0 to 1 within the search.

    The passages keep the scale that their reranker gave them: the lifts are brought to it, not it to them. Relevance
    knows nothing of lifts: that a document is new makes it no better an answer.
    """

    name = "boosts"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        used = [name for name in LIFTS if getattr(search.preset.boosts, name)]
        if "phrase" in used:
            search.words.analysed(passages)  # all at once
        lifted = [_explained(passage, _boosts(search, passage, used)) for passage in passages]
        if not any(passage.explanation.boosts for passage in lifted):
            return list(passages)
        search.note(self.name, ", ".join(_given(lifted)), applied=True)
        return sorted(_rescored(lifted, search.preset.boosts.similarity), key=lambda passage: -passage.score)


def _boosts(search: SearchContext, passage: Passage, used: Sequence[str]) -> tuple[Boost, ...]:
    given = ((name, *LIFTS[name](search, passage)) for name in used)
    return tuple(Boost(name=name, value=value, reason=reason) for name, value, reason in given if value >= _LEAST)


def _explained(passage: Passage, boosts: tuple[Boost, ...]) -> Passage:
    return replace(passage, explanation=replace(passage.explanation, boosts=boosts)) if boosts else passage


def _given(passages: Sequence[Passage]) -> dict[str, None]:
    return dict.fromkeys(boost.name for passage in passages for boost in passage.explanation.boosts)


def _rescored(passages: Sequence[Passage], similarity: float) -> list[Passage]:
    scores = [passage.score for passage in passages]
    lowest, spread = min(scores), (max(scores) - min(scores)) or 1.0
    return [
        replace(passage, score=lowest + similarity * (passage.score - lowest) + spread * _lift(passage))
        for passage in passages
    ]


def _lift(passage: Passage) -> float:
    return sum(boost.value for boost in passage.explanation.boosts)
