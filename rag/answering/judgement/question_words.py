"""The words of a question as the judge weighs them, and how far a text has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ingestion.text.analyser import analyser
from ingestion.text.meaning.vocabulary import meaning_of_text
from ingestion.text.names.name_words import name_words
from ingestion.text.sentences import sentence_spans
from ingestion.types import Token
from rag.answering.synthesis.extractive.matching import Cover, WordMatcher
from rag.question import Question
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.terms import QueryTerm
from rag.search.retrieval.lexical import CorpusStatistics

_FEW_CHUNKS = 60  # a library of so many is half a large one
_ENOUGH = 0.6  # of the words that are much in a large library are much in one of a single chunk
_SAID = 0.5  # a cover from which on a word counts as said


@dataclass(frozen=True)
class Words:
    """The words of a question that carry a topic, in the order of a `Cover`, and what the library knows of them."""

    question: Question
    query: AnalysedQuery
    statistics: CorpusStatistics

    @cached_property
    def matcher(self) -> WordMatcher:
        return WordMatcher(self.question.text, self.question.background.others)

    @cached_property
    def meaning(self) -> NDArray[np.float32]:
        """See `ingestion.text.meaning`."""
        return meaning_of_text(self.spelt)

    @cached_property
    def asked_about(self) -> frozenset[str]:
        """Lemmas of its last sentence, those too that its words have once they are spelt right."""
        typed = {form for form, _ in self._last_words}
        terms = [term for term in self.query.terms if term.typed in typed]
        return frozenset(reading.lemma for term in terms for reading in term.readings)

    @cached_property
    def last_sentence(self) -> str:
        start, end = sentence_spans(self.question.text)[-1]
        return self.question.text[start:end]

    @cached_property
    def last_tokens(self) -> Sequence[Token]:
        """The words of its last sentence as they stand."""
        start, end = sentence_spans(self.question.text)[-1]
        return [token for token in analyser().tokens(self.question.text) if start <= token.start < end]

    @cached_property
    def spelt(self) -> str:
        """The question as the search reads its words: with diacritics, without slips."""
        return self.query.spelt(self.question.text)

    def much(self, most: float) -> float:
        """`most` words of a large library; fewer of a small one, which has few places where words meet by chance."""
        return most * (_ENOUGH + (1 - _ENOUGH) * self._size)

    def count(self, cover: Cover) -> int:
        return sum(value >= _SAID for value in cover)

    def strangeness(self, cover: Cover) -> float:
        """The share of nouns that the library has under no name, and no kin of theirs is said, of all words."""
        pairs = zip(self.matcher.lemmas, cover, strict=True)
        unsaid = [self._terms[lemma] for lemma, value in pairs if lemma in self._terms and value < _SAID]
        return sum(_is_noun(term) and not self._is_known(term) for term in unsaid) / len(self.matcher.lemmas)

    def in_text(self, text: str) -> Cover:
        return self.matcher.cover(lemma for _, lemma in analyser().words(text))

    def unsaid_in(self, text: str) -> set[str]:
        """The lemmas of its last sentence, of small words too, that the text says in no way."""
        covered = zip(self.matcher.lemmas, self.in_text(text), strict=True)
        said = {lemma for lemma, value in covered if value >= _SAID}
        return {lemma for _, lemma in self._last_words} - said

    @property
    def _size(self) -> float:
        """How large the library is, in [0, 1)."""
        return self.statistics.chunks / (self.statistics.chunks + _FEW_CHUNKS)

    @cached_property
    def _last_words(self) -> Sequence[tuple[str, str]]:
        """The words of its last sentence, each with its lemma."""
        return analyser().words(self.last_sentence)

    @cached_property
    def _terms(self) -> dict[str, QueryTerm]:
        """By lemma, those of the words that are looked for."""
        readings = ((reading.lemma, term) for term in self.query.terms for reading in term.readings)
        return {lemma: term for lemma, term in readings if lemma in self.matcher.lemmas}

    @cached_property
    def _bridged(self) -> set[str]:
        """The typed words for which others are searched too."""
        return {form for other in self.question.background.others for form in other.typed}

    def _is_known(self, term: QueryTerm) -> bool:
        return term.occurs or term.typed in self._bridged


def _is_noun(term: QueryTerm) -> bool:
    return name_words().is_noun(term.typed) and not term.lemma.endswith("ć")
