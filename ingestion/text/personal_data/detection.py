"""Finding personal data in a text."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ingestion.text.personal_data.addresses import find_addresses
from ingestion.text.personal_data.exemptions import is_exempt
from ingestion.text.personal_data.misread import MISREAD
from ingestion.text.personal_data.pattern import Kind, Pattern
from ingestion.text.personal_data.patterns import CERTAIN
from ingestion.text.personal_data.people import find_people
from knowledgetree.conf import rag_settings

# Every number has four digits close together; most texts have none.
_WORTH_A_LOOK = re.compile(r"@|\d(?:[ \u00a0\-.()]{0,3}[\w|!]){4}")
_LONG_NUMBER = re.compile(r"\d(?:\D{0,10}\d){6}")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PersonalDataSpan:
    """Characters [start, end) of the text are personal data of this kind."""

    start: int
    end: int
    kind: Kind


def find_personal_data(text: str, *, exempt: Collection[str] | None = None) -> list[PersonalDataSpan]:
    """In order of place; none overlaps another: what a surer form has taken no later one takes.

    `exempt`, of `knowledgetree.conf.EXEMPT`, are left alone; None: those that the installation exempts.
    """
    exempt = rag_settings().personal_data.exempt if exempt is None else exempt
    found: list[PersonalDataSpan] = []
    taken = bytearray(len(text))
    for start, end, kind in _candidates(text):
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            if not (exempt and is_exempt(text, start=start, end=end, kind=kind, exempt=exempt)):
                found.append(PersonalDataSpan(start=start, end=end, kind=kind))
    return sorted(found)


def _candidates(text: str) -> Iterator[tuple[int, int, Kind]]:
    """The surest first."""
    if _WORTH_A_LOOK.search(text):
        for pattern in _possible(text):
            for match in pattern.form.finditer(text):
                if pattern.holds(text, match):
                    yield (*match.span(), pattern.kind)
    for span in find_addresses(text):
        yield (*span, "address")
    for span in find_people(text):
        yield (*span, "person")


def _possible(text: str) -> Iterator[Pattern]:
    """The patterns that the text may have at all, the surest first."""
    has_long, lower = _LONG_NUMBER.search(text) is not None, text.casefold()
    for pattern in (*CERTAIN, *MISREAD):
        fits = has_long or not pattern.is_long
        if fits and (not pattern.words or any(word in lower for word in pattern.words)):
            yield pattern
