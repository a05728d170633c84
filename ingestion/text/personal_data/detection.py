"""Finding personal data in a text."""

import re
from dataclasses import dataclass

from ingestion.text.personal_data.patterns import PATTERNS, Kind

# Every pattern needs an @ or a number of some length; most texts have neither.
_WORTH_A_LOOK = re.compile(r"@|\d(?:[ \u00a0\-()]{0,2}\d){5}")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PersonalDataSpan:
    """Characters [start, end) of the text are personal data of this kind."""

    start: int
    end: int
    kind: Kind


def find_personal_data(text: str) -> list[PersonalDataSpan]:
    """In order of place; none overlaps another."""
    if not _WORTH_A_LOOK.search(text):
        return []
    found: list[PersonalDataSpan] = []
    taken = bytearray(len(text))
    for pattern in PATTERNS:
        for match in pattern.form.finditer(text):
            start, end = match.span()
            if not any(taken[start:end]) and pattern.holds(text, match):
                taken[start:end] = b"\x01" * (end - start)
                found.append(PersonalDataSpan(start=start, end=end, kind=pattern.kind))
    return sorted(found)
