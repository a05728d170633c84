"""From the typed question to the terms that are searched: lemmas, forms, phrases, exclusions, corrections."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ingestion.selectors.clearance import UNCLEARED, Clearance
from ingestion.text.analyser import analyser
from ingestion.text.sentences import ends_with_abbreviation
from ingestion.types import Token
from rag.search.query.privacy_guard import may_be_hidden, without_numbers
from rag.search.query.repair import Repairer, typed_without_diacritics
from rag.search.query.terms import Alternative, QueryTerm, TermReading
from rag.search.query.vocabulary import Vocabulary, VocabularyTerm
from rag.types import Correction

_PHRASE = re.compile(r"[\"„”“]([^\"„”“]+)[\"„”“]")
_EXCLUDED = re.compile(r"(?:^|\s)-(\w[\w-]*)")
_SENTENCE_ENDS = ".!?…"
_OPENING = ' \n\t"„”“(–-'


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedQuery:
    """`terms` have no function words unless there is nothing else. `text` is the question as it is searched.

    `guarded`: personal data of some of the collections are covered, so it is compared with their texts without numbers.
    """

    text: str
    terms: tuple[QueryTerm, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[int, ...] = ()
    corrections: tuple[Correction, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    guarded: bool = False

    @property
    def compared(self) -> str:
        """What vectors and names are looked up for."""
        return without_numbers(self.text) if self.guarded else self.text

    def spelt(self, text: str) -> str:
        """`text`, from which it was read, with its words as they were read: with diacritics, without slips."""
        read = {term.typed: term.readings[0].form for term in self.terms}
        spelt, place = "", 0
        for token in analyser().tokens(text):
            if token.form in read:
                spelt += text[place : token.start] + read[token.form]
                place = token.end
        return spelt + text[place:]


def analyse_query(
    text: str, collection_ids: Sequence[int], guarded: Collection[int] = (), *, clearance: Clearance = UNCLEARED
) -> AnalysedQuery:
    """Words are looked up in the vocabulary of what `clearance` opens of `collection_ids` alone, so a correction
    betrays no hidden word.

    In those that are `guarded` numbers are not looked up, neither as words nor in phrases nor to leave them out.
    """
    vocabulary = Vocabulary(collection_ids, guarded, clearance=clearance)
    excluded = [token.lemma for match in _EXCLUDED.finditer(text) for token in analyser().tokens(match.group(1))]
    wanted = _EXCLUDED.sub(" ", text)
    phrases = tuple(tuple(token.form for token in analyser().tokens(phrase)) for phrase in _PHRASE.findall(wanted))
    terms = _read(_content_tokens(wanted), wanted, vocabulary)
    repairer = Repairer(vocabulary, analyser().lemmatiser, ascii_only=typed_without_diacritics(wanted))
    quoted = {form for phrase in phrases for form in phrase}
    terms, corrections = repairer.repair(terms, untouchable=quoted)
    return AnalysedQuery(
        text=_corrected(wanted, corrections),
        terms=tuple(terms),
        phrases=tuple(phrase for phrase in phrases if phrase and not (guarded and any(map(may_be_hidden, phrase)))),
        excluded=tuple(
            term.id for term in vocabulary.terms(excluded).values() if not (guarded and may_be_hidden(term.text))
        ),
        corrections=tuple(corrections),
        guarded=bool(guarded),
    )


def _content_tokens(text: str) -> list[Token]:
    """Each word once; function words only in a question that has no others."""
    tokens = list({token.form: token for token in analyser().tokens(text)}.values())
    return [token for token in tokens if not analyser().is_stop_word(token)] or tokens


def _read(tokens: Sequence[Token], text: str, vocabulary: Vocabulary) -> list[QueryTerm]:
    known = vocabulary.terms(word for token in tokens for word in (token.lemma, token.form))
    return [
        QueryTerm(typed=token.form, name=_is_name(token, text), readings=(reading(token.form, token.lemma, known),))
        for token in tokens
    ]


def reading(form: str, lemma: str, known: dict[str, VocabularyTerm]) -> TermReading:
    return TermReading(form=form, lemma=lemma, lemma_term=known.get(lemma), form_term=known.get(form))


def _is_name(token: Token, text: str) -> bool:
    """A capital in the middle of a sentence marks a name."""
    return text[token.start].isupper() and not _begins_sentence(text[: token.start].rstrip(_OPENING))


def _begins_sentence(before: str) -> bool:
    return not before or (before[-1] in _SENTENCE_ENDS and not ends_with_abbreviation(before))


def _corrected(text: str, corrections: Sequence[Correction]) -> str:
    for correction in corrections:
        text = re.sub(rf"\b{re.escape(correction.typed)}\b", correction.searched, text, flags=re.IGNORECASE)
    return " ".join(text.split())
