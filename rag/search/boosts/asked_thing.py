"""A lift for passages that have the kind of thing asked for beside the question's words: an amount, a day, a name."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from ingestion.text.analyser import analyser
from ingestion.text.sentences import sentence_spans
from rag.search.boosts.known_scores import has_known_scores, lifted
from rag.search.context import SearchContext
from rag.types import Boost, Passage
from rag.understanding.expected import ExpectedAnswer, expected

LIFT = 0.5
"""In points of the reranker `features`, whose best passages are seldom farther apart; hit@1 of everyday questions rises
up to it, and no further (docs/benchmarks.md).
"""

_MOST = 6  # passages that are read: more would cost more than the search


class AskedThing:
    """Lifts those of the first passages that lie so near the best one that it can matter, where a thing is asked for.

    By the share of the question that is said, by idf, in a sentence with the thing, in the one before or in what stands
    above them. Only scores of the reranker `features` mean the same for every question, so others stay.
    """

    name = "asked_thing"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        asked = expected(search.query.text)
        near = [one for one in passages[:_MOST] if one.score > passages[0].score - LIFT]
        if asked.wanted is None or len(near) < 2 or not has_known_scores(search, passages[0]):
            return list(passages)
        search.words.analysed(near)  # all at once, so that a sentence has no word whose lemma must be looked for
        those = [_lifted(passage, LIFT * _said_with_thing(search, asked, passage)) for passage in near]
        search.note(self.name, asked.wanted, applied=True)
        return sorted([*those, *passages[len(near) :]], key=lambda passage: -passage.score)


def _lifted(passage: Passage, value: float) -> Passage:
    if not value:
        return passage
    boost = Boost(name=AskedThing.name, value=value, reason=_("It has what you ask for beside your words"))
    return lifted(passage, boost)


def _said_with_thing(search: SearchContext, asked: ExpectedAnswer, passage: Passage) -> float:
    """In [0, 1]."""
    best = 0.0
    for sentence, around in _sentences(passage):
        said = _said(search, around)
        if said > best and asked.has_answer(sentence):
            best = said
    return best


def _sentences(passage: Passage) -> Iterator[tuple[str, set[str]]]:
    """Each with its lemmas, those of the one before and of what stands above."""
    above = _lemmas("\n".join((passage.title, *passage.heading_path)))
    before: set[str] = set()
    for start, end in sentence_spans(passage.text):
        own = _lemmas(passage.text[start:end])
        yield passage.text[start:end], above | before | own
        before = own


def _said(search: SearchContext, lemmas: set[str]) -> float:
    terms, others = search.query.terms, search.query.alternatives
    by_others = {number for other in others if lemmas.issuperset(other.lemmas) for number in other.stands_for}
    found = [
        term
        for number, term in enumerate(terms)
        if number in by_others or not lemmas.isdisjoint(reading.lemma for reading in term.readings)
    ]
    return search.statistics.idf_of(found) / (search.statistics.idf_of(terms) or 1.0)


def _lemmas(text: str) -> set[str]:
    return {lemma for _form, lemma in analyser().words(text)}
