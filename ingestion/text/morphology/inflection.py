"""From a lemma back to the forms under which it is written."""

import threading
from functools import lru_cache
from typing import Any

import morfeusz2

_generating = threading.Lock()  # Morfeusz keeps its state in the object


@lru_cache(maxsize=1)
def _morfeusz() -> Any:
    return morfeusz2.Morfeusz(analyse=False, generate=True)


@lru_cache(maxsize=2000)
def inflections(lemma: str) -> frozenset[str]:
    """The forms that SGJP lists for `lemma`, which is lower case; names and acronyms too. Lower case, at least itself.

    The dictionaries that lemmatise know more words than SGJP; ask the analyser which forms really belong to a lemma.
    """
    with _generating:
        generated = [row for spelling in _spellings(lemma) for row in _morfeusz().generate(spelling)]
    return frozenset([lemma, *(form.lower() for form, _, tag, *_ in generated if not tag.startswith("ign"))])


def _spellings(lemma: str) -> list[str]:
    """A lemma with a colon or another sign would be read as a homonym's number; it has no forms to list."""
    return [lemma, lemma.capitalize(), lemma.upper()] if lemma.isalpha() else []
