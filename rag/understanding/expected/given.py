"""The value that a question gives, by which a row or a rule is chosen: "20 tys. zł", "12 lat", "po 3 latach"."""

import re

from ingestion.text.analyser import analyser
from rag.understanding.expected.values import NUMBER
from rag.understanding.facts.fact import Fact
from rag.understanding.facts.quantities import find_quantities

# How people type and say numbers where a document would not.
_SPOKEN = (
    (re.compile(r"(?<=\d)[ \u00a0]?k(?=\b)", re.IGNORECASE), " tys."),
    (re.compile(r"(?<=\d)[ \u00a0](?:tys(?:i[ąa]k\w*|i)?|tyś|tysiac\w*|koła|kola)\b\.?", re.IGNORECASE), " tys."),
    (re.compile(r"(?<=\d)[ \u00a0]?(?:zl|złociszy|zlotych|złotych|pln)\b", re.IGNORECASE), " zł"),
    (re.compile(r"(?<=\d)[ \u00a0](?:godzin[ay]?|godz|h)\b\.?", re.IGNORECASE), " godzin"),
    (re.compile(r"(?<=\d)[ \u00a0](?:miesiac\w*|miesiec\w*|mies|mc)\b\.?", re.IGNORECASE), " miesięcy"),
    (re.compile(r"(?<=\d)[ \u00a0](?:gb|giga|gigabajt\w*)\b", re.IGNORECASE), " GB"),
    (re.compile(r"(?<=\d)[ \u00a0](?:mb|mega|megabajt\w*)\b", re.IGNORECASE), " MB"),
)


def values_given(question: str) -> tuple[Fact, ...]:
    """In order; "ile dni" and "na dzień" give none. Places are not those of the question as typed."""
    plain = question
    for spoken, written in _SPOKEN:
        plain = spoken.sub(written, plain)
    facts = find_quantities(plain, analyser().tokens(plain))
    return tuple(fact for fact in facts if fact.dimension != "clock" and NUMBER.match(fact.written))
