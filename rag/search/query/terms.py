"""The words of a question as the index knows them."""

from dataclasses import dataclass

from rag.search.query.vocabulary import VocabularyTerm
from rag.types import SubstituteOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class TermReading:
    """One way to find a word: as `form` and as `lemma`; a term is None where the index lacks it."""

    form: str
    lemma: str
    lemma_term: VocabularyTerm | None = None
    form_term: VocabularyTerm | None = None

    @property
    def lemma_chunks(self) -> int:
        return self.lemma_term.lemma_chunks if self.lemma_term else 0

    @property
    def form_chunks(self) -> int:
        return self.form_term.form_chunks if self.form_term else 0

    @property
    def occurs(self) -> bool:
        return bool(self.lemma_chunks or self.form_chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another word or phrase `text` for what was `typed`; all its `terms` must stand in a chunk.

    `weight` in (0, 1), against 1 of a typed word; `stands_for` are the numbers of the typed words among the query's.
    """

    typed: str
    text: str
    terms: tuple[VocabularyTerm, ...]
    weight: float
    source: SubstituteOrigin
    stands_for: tuple[int, ...]

    @property
    def lemmas(self) -> tuple[str, ...]:
        return tuple(term.text for term in self.terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerm:
    """A word of the question with its readings, the likeliest first; never without one."""

    typed: str
    readings: tuple[TermReading, ...]
    name: bool = False

    @property
    def lemma(self) -> str:
        return self.readings[0].lemma

    @property
    def occurs(self) -> bool:
        return any(reading.occurs for reading in self.readings)

    @property
    def lemma_chunks(self) -> int:
        """An upper bound of the chunks that have the word in any reading."""
        return sum(reading.lemma_chunks for reading in self.readings)

    @property
    def form_chunks(self) -> int:
        return sum(reading.form_chunks for reading in self.readings)
