"""What a word must begin with to be a form of one that is looked for: analysing all words of a text takes seconds."""

import re
import threading
from collections.abc import Iterable

import morfeusz2

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold, restorations
from ingestion.text.guessing import Guesses
from ingestion.text.loading import loaded_once
from ingestion.types import Token

SAME_BEGINNING = 3  # letters that inflection leaves alone; where it does not, the dictionary's forms are known
_SPELLINGS = {"a": "ą", "c": "ć", "e": "ę", "l": "ł", "n": "ń", "o": "ó", "s": "ś", "z": "żź"}
_lock = threading.Lock()  # Morfeusz keeps its state in the object


def likeness(words: Iterable[Token], guesses: Guesses) -> re.Pattern[str]:
    """Finds, wherever a word begins, the beginning of any form of `words`; of numbers and dates, any digit."""
    beginnings: set[str] = set()
    for word in words:
        beginnings |= _beginnings(word, guesses) if word.form.isalpha() else {_of_number(word.form)}
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(beginnings))})")


def restored_lemmas(form: str, guesses: Guesses) -> set[str]:
    """The lemmas of the words that `form`, typed without diacritics, may stand for."""
    return {analyser().lemmatiser.lemma(word) for word in guesses.known(restorations(form))}


def _beginnings(word: Token, guesses: Guesses) -> set[str]:
    lemmas = {word.lemma} | (restored_lemmas(word.form, guesses) if word.form.isascii() else set())
    forms = {word.form, *lemmas, *(form for lemma in lemmas for form in _forms(lemma))}
    return {_in_any_spelling(form[:SAME_BEGINNING]) for form in forms}


def _of_number(form: str) -> str:
    """A date has many spellings, all with digits; "e-faktura" has letters alone."""
    return r"\w*\d|§" if any(character.isdigit() for character in form) else _in_any_spelling(form[:1])


def _in_any_spelling(beginning: str) -> str:
    return "".join(f"[{re.escape(''.join(sorted(_spellings(letter))))}]" for letter in beginning)


def _spellings(letter: str) -> set[str]:
    plain = fold(letter)
    lower = {letter, plain, *_SPELLINGS.get(plain, "")}
    return {one for small in lower for one in (small, *small.upper()) if len(one) == 1}


@loaded_once
def _generator() -> morfeusz2.Morfeusz:
    return morfeusz2.Morfeusz(analyse=False)


def _forms(lemma: str) -> set[str]:
    """All forms of `lemma` in SGJP, lower case; none of a word that it lacks."""
    with _lock:
        return {str(form).lower() for form, *_ in _generator().generate(lemma)}
