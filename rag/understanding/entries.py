"""Entries in lists of changes: what stands under "Wersja 2.7.0 (27 kwietnia)" is of that version and of that day."""

import re

from rag.understanding.expected import ExpectedAnswer

_DAY = r"\d{1,2}[. ](?:\d{1,2}|[a-zśńź]{3,12})[. ]\d{4}|\d{4}-\d{2}-\d{2}"
_NUMBER = r"\d+(?:\.\d+)+(?:[- ]?(?:rc|beta)[\d. ]*)?"
_ENTRY = re.compile(
    rf"\W*(?:(?:(?:wersja|wydanie|version|release)\s+|v){_NUMBER}|\d+\.\d+\.\d+)\]?\s*(?:\Z|[(–—-].*)"
    rf"|\W*{_NUMBER}\W+(?:{_DAY}).*|\W*(?:{_DAY})(?: r\.)?\s*(?:\Z|[(–—:-].*)",
    re.IGNORECASE | re.DOTALL,
)
_VERSION = re.compile(r"\bwersj|\bwydani|\bversion|\brelease", re.IGNORECASE)


def is_entry(heading: str) -> bool:
    """Whether it names a version or a day and hardly anything else; "3.2. Rotacja" is a section."""
    return bool(_ENTRY.fullmatch(heading.strip()))


def has_answer(asked: ExpectedAnswer, text: str, heading: str) -> bool:
    """Whether `text` has the thing asked for, or `heading` above it, the day or the version of an entry."""
    if asked.has_answer(text) or not is_entry(heading):
        return asked.has_answer(text)
    return asked.has_answer(heading) or (asked.wanted == "code" and bool(_VERSION.search(asked.question)))
