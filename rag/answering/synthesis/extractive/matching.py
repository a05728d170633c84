"""How far the words of a question are in a text: themselves, words akin to them, and other words for them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.meaning.vocabulary import vocabulary
from ingestion.text.morphology.kinship import LEAST, alike
from rag.question import SubstituteWords
from rag.search.retrieval.bm25 import inverse_document_frequency

_KIN = 0.5  # words less alike than this are no kin
_SAME = 0.6  # and from here on they count as an occurrence

Cover = list[float]
"""For each word of the question how far it is there, in [0, 1]."""


class WordMatcher:
    """Finds the words of a question that carry a topic; where none does, all of them. `others` stand for some."""

    def __init__(self, question: str, others: Sequence[SubstituteWords] = ()) -> None:
        tokens = analyser().content_tokens(question) or analyser().tokens(question)
        self._places = {lemma: place for place, lemma in enumerate(dict.fromkeys(token.lemma for token in tokens))}
        self._by_beginning: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for lemma, place in self._places.items():
            self._by_beginning[fold(lemma)[:LEAST]].append((place, fold(lemma)))
        by_form = {token.form: self._places[token.lemma] for token in tokens}
        self._others = [
            (frozenset(other.lemmas), [by_form[form] for form in other.typed if form in by_form], other.weight)
            for other in others
        ]
        self._known: dict[str, tuple[tuple[int, float], ...]] = {}

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The words looked for, in the order of a cover."""
        return tuple(self._places)

    def cover(self, lemmas: Iterable[str]) -> Cover:
        here = set(lemmas)
        found = [0.0] * len(self._places)
        for lemma in here:
            for place, value in self._matches(lemma):
                found[place] = max(found[place], value)
        for words, places, weight in self._others:
            if words <= here:
                for place in places:
                    found[place] = max(found[place], weight)
        return found

    def meant(self, lemmas: Iterable[str]) -> Cover:
        """For each word how near in meaning to it the nearest of `lemmas` is, a cosine; 1 where it is one of them."""
        found = [0.0] * len(self._places)
        for lemma in set(lemmas):
            for place, cosine in self._near.get(lemma, ()):
                found[place] = max(found[place], cosine)
        return found

    @cached_property
    def _near(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        """By lemma the words that it is near to in meaning."""
        found: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for word, place in self._places.items():
            for lemma, cosine in {**vocabulary().near(word), word: 1.0}.items():
                found[lemma].append((place, cosine))
        return found

    def _matches(self, lemma: str) -> tuple[tuple[int, float], ...]:
        """Places of the question's words that `lemma` is or is akin to: `wynajem` and `wynająć`, `slub` and `ślub`."""
        matches = self._known.get(lemma)
        if matches is None:
            matches = self._known[lemma] = tuple(self._akin(lemma))
        return matches

    def _akin(self, lemma: str) -> Iterable[tuple[int, float]]:
        if lemma in self._places:
            return [(self._places[lemma], 1.0)]
        if fold(lemma[:LEAST]) not in self._by_beginning:
            return ()
        folded = fold(lemma)
        values = ((place, alike(folded, word)) for place, word in self._by_beginning.get(folded[:LEAST], ()))
        return [(place, value) for place, value in values if value >= _KIN]


def inverse_frequencies(covers: Sequence[Cover]) -> list[float]:
    """BM25's idf of each word of the question among the pieces, scaled to the sum 1."""
    pieces = len(covers)
    having = [sum(value > _SAME for value in values) for values in zip(*covers, strict=True)]
    weights = [inverse_document_frequency(count, pieces) for count in having]
    return [weight / (sum(weights) or 1.0) for weight in weights]


def joined(left: Cover, right: Cover) -> Cover:
    return [max(pair) for pair in zip(left, right, strict=True)] if right else left
