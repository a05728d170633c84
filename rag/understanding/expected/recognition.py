"""Which kinds of thing a question asks for, by its patterns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingestion.text.diacritics import fold
from ingestion.text.sentences import ends_with_abbreviation
from ingestion.text.spelling import within_one_edit
from rag.understanding.expected.asking import (
    ASKING_WORDS,
    HINTS,
    OPENS_YES_OR_NO,
    OUTRIGHT,
    SHAPES,
    WH,
    YES_OR_NO,
    YIELDS,
)
from rag.understanding.expected.kinds import Kind

_KEYWORDS = 6  # words of a question that may do without one that asks: "opłata za psa"


def _compiled(patterns: dict[Kind, str]) -> dict[Kind, re.Pattern[str]]:
    return {kind: re.compile(rf"(?<!\w)(?:{asks})") for kind, asks in patterns.items()}


_OUTRIGHT, _HINTS, _SHAPES = map(_compiled, (OUTRIGHT, HINTS, SHAPES))
_ASKS = re.compile("|".join(form.pattern for form in (*_OUTRIGHT.values(), *_SHAPES.values())))
_OPENS_YES_OR_NO = re.compile(OPENS_YES_OR_NO)
_ASKS_ON = re.compile(rf"(?: i|oraz|,|, a) (?={WH}\b)")
_YES_OR_NO = re.compile(YES_OR_NO)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
_SHORT_ONE = 5  # letters: "kied" may be anything
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedKinds:
    """`kinds` are asked for outright, things first, in the question's order; `hints` are things merely spoken of."""

    kinds: tuple[Kind, ...]
    hints: tuple[Kind, ...]


def recognise(question: str) -> AskedKinds:
    """The kinds of what answers `question`, which may be colloquial, without diacritics or a few keywords."""
    asking = _asking(question)
    yes_or_no = _OPENS_YES_OR_NO.match(asking)
    told = _ASKS_ON.split(asking, maxsplit=1)[1:] if yes_or_no else [asking]
    things = tuple(kind for part in told for kind in _things(part))
    shapes = tuple(kind for part in told for kind in _shapes(part, things))
    hints = tuple(kind for kind, form in _HINTS.items() if form.search(asking) and kind not in things)
    if yes_or_no:
        return AskedKinds(kinds=("yes_or_no", *things, *shapes), hints=hints)
    if things or shapes:
        return AskedKinds(kinds=(*things, *shapes), hints=hints)
    if hints and len(asking.split()) <= _KEYWORDS and not asking.endswith("?"):
        return AskedKinds(kinds=hints[:1], hints=hints[1:])
    return AskedKinds(kinds=("yes_or_no",) if _YES_OR_NO.search(asking) else (), hints=hints)


def _asking(question: str) -> str:
    """The part of `question`, folded and in lower case, that asks; the situation told beside it is left out."""
    plain = _WORD.sub(lambda match: _repaired(match.group()), " ".join(fold(question).lower().split()))
    parts = list(_sentences(plain))
    marked = [part for part in parts if part.endswith("?")]
    asking = marked or [part for part in parts if _ASKS.search(part)]
    return " ".join(asking[-2:]) if asking else plain


def _sentences(plain: str) -> Iterator[str]:
    """Also of those that begin in lower case; "tys. zł" ends none."""
    start = 0
    for match in _SENTENCE_END.finditer(plain):
        if not ends_with_abbreviation(plain[start : match.start()]):
            yield plain[start : match.start()]
            start = match.end()
    yield plain[start:]


def _things(asking: str) -> list[Kind]:
    """In the order of `asking`. A kind counts where none that it yields to is asked for by the same words."""
    found = {kind: [match.span() for match in form.finditer(asking)] for kind, form in _OUTRIGHT.items()}
    firsts = {
        kind: min(left)
        for kind, places in found.items()
        if (left := [place for place in places if not _yields(place, YIELDS.get(kind, frozenset()), found)])
    }
    return sorted(firsts, key=lambda kind: firsts[kind])


def _yields(place: tuple[int, int], to: frozenset[Kind], found: dict[Kind, list[tuple[int, int]]]) -> bool:
    start, end = place
    return any(other < end and start < other_end for kind in to for other, other_end in found[kind])


def _shapes(asking: str, things: tuple[Kind, ...]) -> Iterator[Kind]:
    for kind, form in _SHAPES.items():
        if form.search(asking) and not (kind == "definition" and things):
            yield kind


def _repaired(word: str) -> str:
    """ "Kidey" as "kiedy", "dlaczgo" as "dlaczego": two letters of a word that asks have changed places, or one is left
    out of a long one.
    """
    if word in ASKING_WORDS:
        return word
    swapped = (word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in range(len(word) - 1))
    lacking = (one for one in ASKING_WORDS if len(one) == len(word) + 1 > _SHORT_ONE and within_one_edit(word, one))
    return next((one for one in swapped if one in ASKING_WORDS), next(lacking, word))
