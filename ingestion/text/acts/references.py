"""Acts by kind, date, number and title: as a reference in another act has them, and as their own title does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingestion.text.calendar import MONTHS_OF_A_DAY

_KINDS = {
    "ustaw": "ustawa", "rozporządzeni": "rozporządzenie", "zarządzeni": "zarządzenie", "uchwa": "uchwała",
    "dekre": "dekret", "obwieszczeni": "obwieszczenie",
}  # fmt: skip
_MONTH = "|".join(MONTHS_OF_A_DAY)
_ACT = re.compile(
    r"\b(?P<kind>ustaw|rozporządzeni|zarządzeni|uchwa[lł]|dekre|obwieszczeni)\w*\s+"
    r"(?P<before>(?:(?!wprowadza|otrzym|uchyla|\bart\b|[;:(„\"§]|\n\s*\n|ustaw|rozporządzeni|zarządzeni).){0,160}?)"
    rf"z\s+dnia\s+(?P<day>\d{{1,2}})\s+(?P<month>{_MONTH})\s+(?P<year>\d{{4}})\s*r(?:\.|oku)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"\bnr\s*([\w./-]*\d[\w./-]*)", re.IGNORECASE)
_TITLE_ENDS = re.compile(
    r"\(|\[|;|:|„|\"|\bwprowadza si|\botrzymuj|\buchyla|\bskreśla|\bdodaje|,?\s+\bw\s+(?:art\.|załączniku|brzmieniu)|§|"
    r",\s+(?:zmien|któr|ogłoszon)|\bArt\.|\bRozdział\b|\bDział\b|\bNa podstawie\b|\bstosuje się\b"
)
_WORD = re.compile(r"\w+")
_LONGEST_TITLE = 400
_HEAD = 800  # characters
_WORDS = 6  # of a title: the first ones tell acts of one day apart, the last are often cut or bent


@dataclass(frozen=True, slots=True, kw_only=True)
class ActReference:
    """Characters [start, end) of a text name an act. `key` is equal for whatever names the same act, `name` is for
    people.
    """

    key: str
    name: str
    start: int
    end: int


def act_references(text: str) -> Iterator[ActReference]:
    """Every act that `text` names with its date, in order."""
    for match in _ACT.finditer(text):
        rest = text[match.end() : match.end() + _LONGEST_TITLE]
        ends = _TITLE_ENDS.search(rest)
        title = " ".join(rest[: ends.start() if ends else len(rest)].split()).strip(" ,.-–—")
        kind = next(name for stem, name in _KINDS.items() if match["kind"].lower().startswith(stem[:5]))
        month = MONTHS_OF_A_DAY.index(match["month"].lower()) + 1
        day = f"{match['year']}-{month:02d}-{int(match['day']):02d}"
        number = _NUMBER.search(match["before"])
        told = f"nr {number[1].lower().strip('.-/')}" if number else " ".join(_WORD.findall(title.lower())[:_WORDS])
        if told:
            yield ActReference(
                key=f"{kind} {day} {told}",
                name=f"{kind} z dnia {int(match['day'])} {match['month'].lower()} {match['year']} r. {title}".strip(),
                start=match.start(),
                end=match.end() + (ends.start() if ends else len(rest)),
            )


def act_of(title: str, text: str) -> ActReference | None:
    """The act that a document is: what its title begins with, else the head of its text, where the kind of an act
    stands in capitals. None where neither says.
    """
    first = next(act_references(title), None)
    if first and not title[: first.start].strip(" ,.-–—*#"):
        return first
    return next((one for one in act_references(text[:_HEAD]) if text[one.start : one.start + 5].isupper()), None)
