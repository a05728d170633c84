"""From the typed question to the terms that are searched: lemmas, forms, phrases, exclusions, corrections."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.text.analyser import PolishAnalyser, analyser
from ingestion.text.diacritics import fold, restorations
from ingestion.text.spelling import correctable
from ingestion.types import Token
from rag.query.vocabulary import Vocabulary, VocabularyTerm
from rag.types import Correction

_PHRASE = re.compile(r"[\"„”“]([^\"„”“]+)[\"„”“]")
_EXCLUDED = re.compile(r"(?:^|\s)-(\w[\w-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerm:
    """A word of the question and its terms in the index; a term is None where the word does not occur so."""

    typed: str
    lemma: str
    lemma_term: VocabularyTerm | None
    form_term: VocabularyTerm | None

    @property
    def occurs(self) -> bool:
        return bool(
            (self.lemma_term and self.lemma_term.lemma_chunks) or (self.form_term and self.form_term.form_chunks)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedQuery:
    """`terms` have no function words unless there is nothing else. `text` is the question as it is searched."""

    text: str
    terms: tuple[QueryTerm, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[int, ...] = ()
    corrections: tuple[Correction, ...] = ()


def analyse_query(text: str, collection_ids: Sequence[int]) -> AnalysedQuery:
    """Words are looked up in the vocabulary of `collection_ids` alone, so a correction betrays no hidden word."""
    words = analyser()
    vocabulary = Vocabulary(collection_ids)
    excluded = [token.lemma for match in _EXCLUDED.finditer(text) for token in words.tokens(match.group(1))]
    wanted = _EXCLUDED.sub(" ", text)
    phrases = tuple(tuple(token.form for token in words.tokens(phrase)) for phrase in _PHRASE.findall(wanted))
    tokens = _content_tokens(wanted, words)
    quoted = {form for phrase in phrases for form in phrase}
    terms, corrections = _look_up(tokens, quoted, vocabulary, words)
    return AnalysedQuery(
        text=_corrected(wanted, corrections),
        terms=tuple(terms),
        phrases=tuple(phrase for phrase in phrases if phrase),
        excluded=tuple(term.id for term in vocabulary.terms(excluded).values()),
        corrections=tuple(corrections),
    )


def _content_tokens(text: str, words: PolishAnalyser) -> list[Token]:
    """Each word once; function words only in a question that has no others."""
    tokens = list({token.form: token for token in words.tokens(text)}.values())
    return [token for token in tokens if not words.is_stop_word(token)] or tokens


def _look_up(
    tokens: Sequence[Token], quoted: set[str], vocabulary: Vocabulary, words: PolishAnalyser
) -> tuple[list[QueryTerm], list[Correction]]:
    known = vocabulary.terms(word for token in tokens for word in (token.lemma, token.form))
    terms: list[QueryTerm] = []
    corrections: list[Correction] = []
    for token in tokens:
        term = _term(token.form, token.lemma, known)
        if not term.occurs and token.form not in quoted:
            term, correction = _repair(term, vocabulary, words)
            corrections += [correction] if correction else []
        terms.append(term)
    return terms, corrections


def _term(typed: str, lemma: str, known: dict[str, VocabularyTerm], form: str = "") -> QueryTerm:
    return QueryTerm(typed=typed, lemma=lemma, lemma_term=known.get(lemma), form_term=known.get(form or typed))


def _repair(term: QueryTerm, vocabulary: Vocabulary, words: PolishAnalyser) -> tuple[QueryTerm, Correction | None]:
    """A word that occurs nowhere: typed without diacritics, else misspelt, else as it is."""
    lemma_of = words.lemmatiser.lemma
    if twins := vocabulary.without_diacritics([term.typed]).get(fold(term.typed)):
        form = twins[0].text
        return _term(term.typed, lemma_of(form), vocabulary.terms([form, lemma_of(form)]), form), None
    if words.lemmatiser.knows(term.typed):
        return term, None
    restored = _restored(term.typed, vocabulary, words)
    if restored:
        return restored, None
    if correctable(term.typed) and (near := vocabulary.one_edit_away(term.typed)):
        repaired = _term(term.typed, lemma_of(near.text), vocabulary.terms([near.text, lemma_of(near.text)]), near.text)
        return repaired, Correction(typed=term.typed, searched=near.text)
    return term, None


def _restored(typed: str, vocabulary: Vocabulary, words: PolishAnalyser) -> QueryTerm | None:
    """An inflected form that the corpus lacks, typed without diacritics: found through the dictionary's lemma."""
    lemmatiser = words.lemmatiser
    lemmas = {lemmatiser.lemma(word): word for word in restorations(typed) if lemmatiser.knows(word)}
    known = vocabulary.terms(lemmas)
    best = max(known.values(), key=lambda term: term.lemma_chunks, default=None)
    return _term(typed, best.text, known, lemmas[best.text]) if best else None


def _corrected(text: str, corrections: Sequence[Correction]) -> str:
    for correction in corrections:
        text = re.sub(rf"\b{re.escape(correction.typed)}\b", correction.searched, text, flags=re.IGNORECASE)
    return " ".join(text.split())
