"""Sums that an answer shows: "Razem: 4 000 zł + 3 500 zł = 7 500 zł", which no sentence of a source says so."""

import re

from rag.answering.verification.overlap import CitedSource
from rag.answering.verification.sentence import Sentence
from rag.understanding.facts.fact import Fact, agreeing

_SUM = re.compile(
    r"(?:(?:razem|łącznie|suma|w sumie|together|total):? )?(?P<added>[^=]+\+[^=]+)=(?P<total>[^=]+?)\.?", re.I
)
_NEARLY = 0.005  # half of a grosz


def sums_up(claim: str, source: CitedSource) -> bool:
    """Whether `claim`, without its markers, is a sum alone, adds up, and has its addends from `source`."""
    found = _SUM.fullmatch(claim.strip())
    if not found:
        return False
    addends = [_only_fact(part) for part in found["added"].split("+")]
    total = _only_fact(found["total"])
    known = [fact for sentence in source.sentences for fact in sentence.facts]
    if total is None or not all(one and one.dimension == total.dimension and agreeing(one, known) for one in addends):
        return False
    return abs(sum(_value(one) for one in addends if one) - _value(total)) < _NEARLY


def _only_fact(text: str) -> Fact | None:
    facts = Sentence(text.strip()).facts
    return facts[0] if len(facts) == 1 and isinstance(facts[0].value[0], float) else None


def _value(fact: Fact) -> float:
    return float(fact.value[0] or 0.0)
