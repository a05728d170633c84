"""Words typed without diacritics or with a slip of the finger, found through the corpus and the dictionary."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ingestion.text.analyser import PolishAnalyser
from ingestion.text.diacritics import fold, restorations
from ingestion.text.spelling import correctable, single_edits
from rag.query.terms import QueryTerm, Reading
from rag.query.vocabulary import Vocabulary, VocabularyTerm
from rag.types import Correction

_READINGS = 3  # of a repaired word; the other words of the question decide between them


def typed_without_diacritics(text: str) -> bool:
    """Whether nothing in the question shows that its author's keyboard has Polish letters."""
    return text.isascii()


class Repairer:
    """Repairs words that occur nowhere; of a question without any diacritics, also those that look like others."""

    def __init__(self, vocabulary: Vocabulary, words: PolishAnalyser, *, ascii_only: bool) -> None:
        self._vocabulary = vocabulary
        self._lemmatiser = words.lemmatiser
        self._ascii_only = ascii_only

    def repair(self, terms: Sequence[QueryTerm], *, untouchable: set[str]) -> tuple[list[QueryTerm], list[Correction]]:
        """The terms, some with other readings, and what was corrected. Words in `untouchable` stay."""
        twins = self._twins(term for term in terms if self._ascii_only or not term.occurs)
        repaired: list[QueryTerm] = []
        corrections: list[Correction] = []
        for term in terms:
            if term.typed in untouchable:
                repaired.append(term)
            elif alike := twins.get(term.typed):
                repaired.append(self._with_twins(term, alike))
            elif term.occurs or self._lemmatiser.knows(term.typed):
                repaired.append(term)
            else:
                found, correction = self._unknown(term)
                repaired.append(found)
                corrections += [correction] if correction else []
        return repaired, corrections

    def _twins(self, terms: Iterable[QueryTerm]) -> dict[str, list[VocabularyTerm]]:
        """For each word the terms that differ from it in diacritics alone."""
        words = [term.typed for term in terms]
        alike = self._vocabulary.without_diacritics(words)
        twins = {word: [term for term in alike.get(fold(word), []) if term.text != word] for word in words}
        return {word: found for word, found in twins.items() if found}

    def _with_twins(self, term: QueryTerm, alike: Sequence[VocabularyTerm]) -> QueryTerm:
        own = term.readings if term.occurs else ()
        readings = [*own, *self._readings(twin.text for twin in alike if twin.form_chunks)]
        readings.sort(key=lambda found: -(found.form_chunks + found.lemma_chunks))
        return replace(term, readings=tuple(readings[:_READINGS])) if readings else term

    def _unknown(self, term: QueryTerm) -> tuple[QueryTerm, Correction | None]:
        """A word of neither corpus nor dictionary: its diacritics are restored, else one typing error is undone."""
        lemmatiser = self._lemmatiser
        if self._ascii_only:
            guesses = (word for word in restorations(term.typed) if lemmatiser.in_dictionary(word))
            if restored := self._by_lemma(guesses):
                return replace(term, readings=restored), None
        if not correctable(term.typed):
            return term, None
        forms = [near.text for near in self._vocabulary.one_edit_away(term.typed)[:_READINGS]]
        readings = _distinct(self._readings(forms))
        if not readings:  # the corpus lacks this inflection; hundreds of guesses, so only now
            guesses = (word for word in single_edits(term.typed) if lemmatiser.in_dictionary(word))
            readings = _distinct(self._by_lemma(guesses))
        if not readings:
            return term, None
        return replace(term, readings=readings), Correction(typed=term.typed, searched=readings[0].form)

    def _by_lemma(self, forms: Iterable[str]) -> tuple[Reading, ...]:
        """Readings of dictionary words whose lemma the corpus has, most frequent lemma first."""
        by_lemma = {self._lemmatiser.lemma(form): form for form in forms}
        known = self._vocabulary.terms(by_lemma)
        frequent = sorted(known.values(), key=lambda term: (-term.lemma_chunks, term.text))
        return tuple(
            Reading(form=by_lemma[term.text], lemma=term.text, lemma_term=term)
            for term in frequent[:_READINGS]
            if term.lemma_chunks
        )

    def _readings(self, forms: Iterable[str]) -> list[Reading]:
        lemma_of = {form: self._lemmatiser.lemma(form) for form in forms}
        known = self._vocabulary.terms([*lemma_of, *lemma_of.values()])
        return [
            Reading(form=form, lemma=lemma, lemma_term=known.get(lemma), form_term=known.get(form))
            for form, lemma in lemma_of.items()
        ]


def _distinct(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """One reading a lemma, in order."""
    by_lemma: dict[str, Reading] = {}
    for reading in readings:
        by_lemma.setdefault(reading.lemma, reading)
    return tuple(by_lemma.values())[:_READINGS]
