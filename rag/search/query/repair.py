"""Words typed without diacritics or with a slip of the finger, found through the corpus and the dictionary."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ingestion.text.diacritics import fold, restorations
from ingestion.text.guessing import Guesses
from ingestion.text.meaning.vocabulary import vocabulary
from ingestion.text.morphology.lemmas import Lemmatiser
from ingestion.text.spelling import correctable, single_edits, slips
from rag.search.query.terms import QueryTerm, TermReading
from rag.search.query.vocabulary import Vocabulary, VocabularyTerm
from rag.types import Correction

_READINGS = 3  # of a repaired word; the other words of the question decide between them
_SHORT = 6  # letters; longer words are seldom two, and have thousands of spellings
_MOST_MISSPELT = 12  # words of a question; who writes more does not write Polish


def typed_without_diacritics(text: str) -> bool:
    """Whether nothing in the question shows that its author's keyboard has Polish letters."""
    return text.isascii()


class Repairer:
    """Repairs words that occur nowhere; of a question without any diacritics, also those that look like others.

    A form that becomes a word by adding diacritics is that word, whether the corpus has it or not, and never another
    one that merely looks like it. What cannot be looked up, because the question costs enough already, stays as typed.
    """

    def __init__(self, vocabulary: Vocabulary, lemmatiser: Lemmatiser, *, ascii_only: bool) -> None:
        self._vocabulary = vocabulary
        self._lemmatiser = lemmatiser
        self._guesses = Guesses(lemmatiser)
        self._ascii_only = ascii_only

    def repair(self, terms: Sequence[QueryTerm], *, untouchable: set[str]) -> tuple[list[QueryTerm], list[Correction]]:
        """The terms, some with other readings, and what was corrected. Words in `untouchable` stay."""
        twins = self._twins(term for term in terms if self._ascii_only or not term.occurs)
        unknown = [
            term.typed
            for term in terms
            if not (term.typed in untouchable or term.typed in twins or term.occurs)
            and not self._lemmatiser.knows(term.typed)
        ]
        restored = self._restored(unknown)
        also = self._restored(set(self._ambiguous(terms)) - {*untouchable, *twins, *unknown})
        corrected = self._corrected([word for word in unknown if not restored[word]]) if unknown else {}
        readings = restored | corrected
        repaired = [
            self._with_twins(term, twins[term.typed])
            if term.typed in twins and term.typed not in untouchable
            else replace(
                term, readings=readings.get(term.typed) or _distinct([*term.readings, *also.get(term.typed, ())])
            )
            for term in terms
        ]
        return repaired, [
            Correction(typed=typed, searched=found[0].form) for typed, found in corrected.items() if found
        ]

    def _ambiguous(self, terms: Iterable[QueryTerm]) -> Iterator[str]:
        """Short words of a question without diacritics that may be others, though a dictionary has them as they are
        typed and the corpus another form of them: "placi" of the word for a square, and who pays.
        """
        short = (term for term in terms if len(term.typed) <= _SHORT)
        return (term.typed for term in short if self._ascii_only and not term.form_chunks)

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

    def _restored(self, words: Iterable[str]) -> dict[str, tuple[TermReading, ...]]:
        """What each word is once it has its diacritics; nothing where no dictionary has such a word."""
        return self._by_lemma({word: self._guesses.known(restorations(word)) for word in words})

    def _corrected(self, words: Iterable[str]) -> dict[str, tuple[TermReading, ...]]:
        """What each word is without its typing error: what the corpus has, else a word that it most often stands for
        and whose meaning is known, since other words for that one may be there.
        """
        wrong = [word for word in words if correctable(word)][:_MOST_MISSPELT] if self._guesses.left else []
        near = self._vocabulary.one_edit_away(wrong)
        found = {word: _distinct(self._readings(term.text for term in near[word][:_READINGS])) for word in wrong}
        absent = [word for word in wrong if not found[word]]  # the corpus lacks this inflection
        # Hundreds of guesses a word, so only now.
        guessed = self._by_lemma({word: self._guesses.known(single_edits(word)) for word in absent})
        found |= {word: tuple(filter(_occurs, readings)) for word, readings in guessed.items()}
        elsewhere = self._by_lemma({word: self._guesses.known(slips(word)) for word in wrong if not found[word]})
        return found | {word: tuple(filter(_has_meaning, readings)) for word, readings in elsewhere.items()}

    def _by_lemma(self, meant: Mapping[str, Sequence[str]]) -> dict[str, tuple[TermReading, ...]]:
        """Of the words that each word may be those that the corpus has, most frequent lemma first; else all."""
        lemma_of = {form: self._lemmatiser.lemma(form) for forms in meant.values() for form in forms}
        known = self._vocabulary.terms(lemma_of.values())
        return {
            word: _most_frequent(
                TermReading(form=form, lemma=lemma_of[form], lemma_term=known.get(lemma_of[form])) for form in forms
            )
            for word, forms in meant.items()
        }

    def _readings(self, forms: Iterable[str]) -> list[TermReading]:
        lemma_of = {form: self._lemmatiser.lemma(form) for form in forms}
        known = self._vocabulary.terms([*lemma_of, *lemma_of.values()])
        return [
            TermReading(form=form, lemma=lemma, lemma_term=known.get(lemma), form_term=known.get(form))
            for form, lemma in lemma_of.items()
        ]


def _distinct(readings: Iterable[TermReading]) -> tuple[TermReading, ...]:
    """One reading a lemma, in order."""
    by_lemma: dict[str, TermReading] = {}
    for reading in readings:
        by_lemma.setdefault(reading.lemma, reading)
    return tuple(by_lemma.values())[:_READINGS]


def _most_frequent(readings: Iterable[TermReading]) -> tuple[TermReading, ...]:
    ordered = sorted(readings, key=lambda reading: (-reading.lemma_chunks, reading.lemma))
    return _distinct(filter(_occurs, ordered)) or _distinct(ordered)


def _has_meaning(reading: TermReading) -> bool:
    return reading.lemma in vocabulary().rows


def _occurs(reading: TermReading) -> bool:
    return reading.occurs
