"""Names that stand in a row of capitals: on both sides of an "and", and bodies before and after others."""

import re
from collections.abc import Sequence

from ingestion.text.names.name_words import WORD, name_words

_AND = re.compile(r"[ \u00a0](?:i|oraz)[ \u00a0]")
# What may have an "and" in its name; other names on both sides of one are two.
_BODIES = frozenset(
    "ministerstwo minister urząd komisja izba wydział departament dyrekcja inspekcja rada sąd biuro instytut zakład "
    "fundusz agencja kodeks centrum inspektorat uniwersytet akademia szkoła stowarzyszenie fundacja archiwum "
    "referat kancelaria prezes".split()
)


def in_a_row(written: str) -> list[str]:
    """The names in `written`, words with capitals that follow each other, in order.

    "Naczelnik Wydziału Dróg i Transportu" names the unit, "Wydział Kultury Urzędu Miasta" the unit and the office.
    """
    words = WORD.findall(written)
    bodies = [place for place, word in enumerate(words) if name_words().key(word) in _BODIES]
    if (place := _second(words, bodies)) is None:
        return [written] if 0 in bodies else _split(written)
    start = [match.start() for match in WORD.finditer(written)][place]
    title_alone = place == 1 and name_words().is_common(words[0])
    before = [] if title_alone else in_a_row(written[:start].rstrip())
    return [*before, *in_a_row(written[start:])]


def _second(words: Sequence[str], bodies: Sequence[int]) -> int | None:
    """Where a body of its own begins after something else; "Rada Wydziału Prawa" and "Rada Ministrów" are one each."""
    for place in bodies:
        long_enough = place > 1 or (place == 1 and 0 not in bodies)
        if (
            long_enough
            and place + 1 < len(words)
            and place - 1 not in bodies
            and name_words().is_noun(words[place - 1])
        ):
            return place
    return None


def _split(written: str) -> list[str]:
    """At an "and"; not where both sides are said of one noun, "Monitor Sądowy i Gospodarczy"."""
    left, *right = _AND.split(written)
    adjective = name_words().is_adjective
    of_one_noun = len(right) == 1 and " " in left and adjective(right[0]) and adjective(left.rpartition(" ")[2])
    return [written] if of_one_noun else [left, *right]
