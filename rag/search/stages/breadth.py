"""A broad question is answered from many documents: each speaks once before any speaks twice, and with the best ones
come the others of their groups.

A document is lifted by the mean of what the others of its group are worth (after Kurland and Lee 2004, Corpus
structure, language models, and ad hoc information retrieval). Where the question names a document, all its passages
stay.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.kinship import alike
from rag.search.context import SearchContext
from rag.search.masking import covered
from rag.search.query.terms import QueryTerm
from rag.search.retrieval.filters import chunks_with, condition
from rag.search.retrieval.groups import Group, groups_around
from rag.search.retrieval.passages import load_passages
from rag.types import Boost, Explanation, Passage

BROAD = "summary"
# Words, without diacritics, that ask for a summary and say nothing of what.
_ASKS = re.compile(
    "podsum|stre(?:sc|szcz)|omow|opis|opowie|przedstaw|przeglad|skro[ct]|krotk|ogoln|glown|najwazn|zasad|punkt|summar|"
    "overview|brief|describe|main|key"
)
_KIN = 0.6  # words that begin as alike are of one family
_NAMED = 0.5  # the share of the question that the title of a document has which the question is about
_LOOKED_AT = 20  # the best documents, whose groups count
_BROUGHT = 10  # passages at most that no other search found
_BRINGS = 1 / 3  # what the others of a group are worth on average, for it to bring in the rest of its documents
_LEAST = 0.005  # what the explanation would show as +0.00 is none


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lift:
    """`value` in the scale in which the best passage of the search has 1 and the last has 0."""

    value: float
    label: str
    chunk_id: int


class CommunityBreadth:
    """Only for questions that ask for a summary, and where the preset gives `communities` a weight."""

    name = "breadth"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if not (search.preset.communities and passages and search.intent == BROAD):
            return list(passages)
        lifts = _lifts(search, _worth(passages))
        spread = _spread(passages)
        found = [_lifted(passage, lifts.get(passage.document_id), spread) for passage in passages]
        brought = _brought(search, lifts, known={passage.document_id for passage in passages})
        lowest = min(passage.score for passage in passages)
        found += [_lifted(replace(one, score=lowest), lifts[one.document_id], spread) for one in brought]
        search.note(self.name, _said(lifts), applied=True)
        return _each_once(search, found)


def _worth(passages: Sequence[Passage]) -> dict[int, float]:
    """Of each of the best documents, in [0, 1], by its best passage."""
    lowest, spread = min(passage.score for passage in passages), _spread(passages)
    worth: dict[int, float] = {}
    for passage in passages:
        worth.setdefault(passage.document_id, (passage.score - lowest) / spread)
    return dict(list(worth.items())[:_LOOKED_AT])


def _spread(passages: Sequence[Passage]) -> float:
    scores = [passage.score for passage in passages]
    return (max(scores) - min(scores)) or 1.0


def _lifts(search: SearchContext, worth: Mapping[int, float]) -> dict[int, _Lift]:
    query = search.query
    without = chunks_with(query.excluded, [collection.pk for collection in search.collections])
    where = condition(search.filters, query.phrases, without, guarded=query.guarded, clearance=search.clearance)
    groups = groups_around(list(worth), collections=search.collections, condition=where, clearance=search.clearance)
    lifts = {document: _lift(search.preset.communities, group, document, worth) for document, group in groups.items()}
    return {document: lift for document, lift in lifts.items() if lift.value >= _LEAST}


def _lift(weight: float, group: Group, document: int, worth: Mapping[int, float]) -> _Lift:
    others = [worth.get(other, 0.0) for other in group.chunks if other != document]
    mean = sum(others) / max(1, len(others))
    return _Lift(value=weight * mean, label=group.label, chunk_id=group.chunks[document])


def _brought(search: SearchContext, lifts: Mapping[int, _Lift], known: set[int]) -> list[Passage]:
    """Of documents that no search found the passage that speaks for the group; those that are lifted most."""
    least = _BRINGS * search.preset.communities
    unknown = [lift for document, lift in lifts.items() if document not in known and lift.value >= least]
    new = sorted((-lift.value, lift.chunk_id) for lift in unknown)
    chunks = {chunk: Explanation() for _, chunk in new[:_BROUGHT]}
    keys = [collection.pk for collection in search.collections]
    read, words = load_passages(chunks, keys, clearance=search.clearance)
    shown = covered(read, search.collections)
    search.indexed |= {one.chunk_id: words[one.chunk_id] for one in _as_indexed(shown, read) if one.chunk_id in words}
    return shown


def _as_indexed(shown: Sequence[Passage], read: Sequence[Passage]) -> list[Passage]:
    """Those of which nothing is covered."""
    return [one for one, other in zip(shown, read, strict=True) if one is other]


def _lifted(passage: Passage, lift: _Lift | None, spread: float) -> Passage:
    if lift is None:
        return passage
    reason = _("From the group of documents “%(label)s”, where other passages fit") % {"label": lift.label}
    boost = Boost(name="communities", value=lift.value, reason=reason)
    explanation = replace(passage.explanation, boosts=(*passage.explanation.boosts, boost))
    return replace(passage, score=passage.score + spread * lift.value, explanation=explanation)


def _each_once(search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
    """The best passage of each document and all of those that the question names, then the others below."""
    ordered = sorted(passages, key=lambda passage: -passage.score)
    named: dict[str, bool] = {}
    for passage in ordered:
        named.setdefault(passage.title, _names(search, passage.title))
    seen: set[int] = set()
    first: list[Passage] = []
    again: list[Passage] = []
    for passage in ordered:
        (again if passage.document_id in seen and not named[passage.title] else first).append(passage)
        seen.add(passage.document_id)
    last = min(passage.score for passage in first)
    return [*first, *(replace(one, score=min(one.score, last)) for one in again)]


def _names(search: SearchContext, title: str) -> bool:
    """Whether the title has most of the question, by the idf of its words that occur at all."""
    lemmas = {lemma for _, lemma in analyser().words(title)}
    terms = [term for term in search.query.terms if term.lemma_chunks and not _ASKS.match(fold(term.typed).lower())]
    own = [term for term in terms if _stands_in(term, lemmas)]
    return bool(own) and search.statistics.idf_of(own) >= _NAMED * search.statistics.idf_of(terms)


def _stands_in(term: QueryTerm, lemmas: Iterable[str]) -> bool:
    """Or a word of its family: "wynajmu" has another lemma than "wynajem"."""
    typed = [reading.lemma for reading in term.readings]
    return any(one == other or alike(one, other) >= _KIN for one in typed for other in lemmas)


def _said(lifts: Mapping[int, _Lift]) -> str:
    labels = dict.fromkeys(lift.label for lift in sorted(lifts.values(), key=lambda lift: -lift.value))
    return "; ".join(f"„{label}”" for label in labels) or _("No group of documents is near; each document once first.")
