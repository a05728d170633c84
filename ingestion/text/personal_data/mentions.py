"""Somebody in a text, however they are written: a name in any case, without diacritics, numbers however spaced."""

import re
from functools import lru_cache

import morfeusz2

from ingestion.text.diacritics import fold
from ingestion.text.names.base_names import base_name

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LEAST_DIGITS = 5  # of a number: fewer stand in every text
_LEAST_LETTERS = 2
_APART = r"[\s.\u00a0–-]{0,2}"
_BETWEEN = r"[\s,.\u00a0-]+(?:[[:alpha:].]+[\s,.\u00a0-]+){0,2}"  # a second name, a title


class UnusableMention(ValueError):
    """What was entered would be found in every text."""


def mention_pattern(said: str) -> str:
    """What PostgreSQL's `~*` finds a name, a number or an e-mail address by, in whatever form texts have it.

    A name of several words is found in either order, its first word also as an initial. Raises UnusableMention.
    """
    said = " ".join(said.split())
    digits = re.sub(r"\D", "", said)
    if "@" in said:
        return rf"(?<![\w.+-]){re.escape(said)}(?![\w-])"
    if len(digits) >= _LEAST_DIGITS:
        return rf"(?<!\d){_APART.join(digits)}(?!\d)"
    words = _WORD.findall(base_name(said))
    if not words or any(len(word) < _LEAST_LETTERS for word in words) or digits:
        raise UnusableMention(said)
    return _name_pattern(words)


def _name_pattern(words: list[str]) -> str:
    *given, surname = (rf"\m(?:{'|'.join(map(_plain_too, inflected_name(word)))})\M" for word in words)
    if not given:
        return surname
    first = _BETWEEN.join([rf"(?:{given[0]}|\m{_plain_too(words[0][0])}\.)", *given[1:]])
    return f"(?:{first}{_BETWEEN}{surname}|{surname}{_BETWEEN}{first})"


@lru_cache(maxsize=1)
def _generator() -> morfeusz2.Morfeusz:
    return morfeusz2.Morfeusz(analyse=False)


def inflected_name(base: str) -> list[str]:
    """All forms of a word of a name, itself among them; of one that SGJP lacks those that Polish endings give it."""
    base = base.capitalize()
    readings = _generator().generate(base)
    forms = {form for form, _, tag, labels, _ in readings if {"imię", "nazwisko"} & set(labels) and ":sg:" in tag}
    if not forms:
        stem = base.rstrip("aeiouyąęó") if len(base) > len("Xyz") else base
        return sorted({base, *(stem + ending for ending in ("a", "owi", "em", "ie", "u", "y", "i", "ą", "ę", "ej"))})
    return sorted({base, *forms})


def _plain_too(word: str) -> str:
    """The word for a pattern, each of its letters with or without its diacritic."""
    return "".join(
        f"[{letter}{plain}]" if plain != letter else re.escape(letter)
        for letter, plain in zip(word, fold(word), strict=True)
    )
