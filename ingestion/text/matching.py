"""Words that somebody looks for, found in a text in any inflection, typed with or without diacritics."""

import re
from collections.abc import Iterable

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import POLISH_LETTERS, fold, restorations
from ingestion.text.guessing import Guesses
from ingestion.text.morphology.inflection import inflections
from ingestion.types import Token

SAME_BEGINNING = 3
"""Letters that inflection mostly leaves alone."""


def restored_lemmas(form: str, guesses: Guesses) -> set[str]:
    """The lemmas of the words that `form`, typed without diacritics, may stand for."""
    return {analyser().lemmatiser.lemma(word) for word in guesses.known(restorations(form))}


def lemmas_meant(word: Token, guesses: Guesses) -> frozenset[str]:
    """The lemmas whose forms `word` finds: typed without diacritics, it stands for each word that has them too."""
    plain = word.form.isascii() and word.form.isalpha()
    return frozenset({word.lemma, *(restored_lemmas(word.form, guesses) if plain else ())})


def likeness(words: Iterable[Token], guesses: Guesses) -> re.Pattern[str]:
    """Finds, wherever a word begins, the beginning of any form of `words`; of numbers and dates, any digit.

    Only what it finds need be analysed: analysing all words of a text takes seconds.
    """
    beginnings: set[str] = set()
    for word in words:
        beginnings |= _beginnings(word, guesses) if word.form.isalpha() else {_of_number(word.form)}
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(beginnings))})")


def _beginnings(word: Token, guesses: Guesses) -> set[str]:
    forms = {word.form, *(form for lemma in lemmas_meant(word, guesses) for form in inflections(lemma))}
    return {_in_any_spelling(form[:SAME_BEGINNING]) for form in forms}


def _of_number(form: str) -> str:
    """A date has many spellings, all with digits; "e-faktura" has letters alone."""
    return r"\w*\d|§" if any(character.isdigit() for character in form) else _in_any_spelling(form[:1])


def _in_any_spelling(beginning: str) -> str:
    return "".join(f"[{re.escape(''.join(sorted(_spellings(letter))))}]" for letter in beginning)


def _spellings(letter: str) -> set[str]:
    plain = fold(letter)
    lower = {letter, plain, *POLISH_LETTERS.get(plain, "")}
    return {one for small in lower for one in (small, *small.upper()) if len(one) == 1}
