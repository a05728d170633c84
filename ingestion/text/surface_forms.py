"""Things written in several ways that must be found in each: numbers, dates, provisions, identifiers, compounds."""

import re

from ingestion.text.calendar import MONTHS_OF_A_DAY
from ingestion.text.numerals import GROUPED

_NUMBER = rf"{GROUPED}(?:,\d+)?|\d+(?:[.,]\d+)*[a-zA-Z]?(?![^\W_])"
_WRITTEN_DATE = rf"\d{{1,2}}[ \u00a0](?:{'|'.join(MONTHS_OF_A_DAY)})[ \u00a0]\d{{4}}(?!\d)"
_NUMERIC_DATE = r"\d{4}-\d\d-\d\d(?!\d)|\d{1,2}\.\d{1,2}\.\d{4}(?!\d)"
_IDENTIFIER = r"\d{2,}(?:-\d{2,}){2,}"
_PROVISION = r"(?:\b[Aa]rt\.|\b[Uu]st\.|\bpkt|§)[ \u00a0]?\d+[a-z]?\b"
_COMPOUND = r"\b[a-zA-Z]-[^\W\d_]{3,}"

SPECIAL = f"{_PROVISION}|{_WRITTEN_DATE}|{_NUMERIC_DATE}|{_IDENTIFIER}|{_COMPOUND}|{_NUMBER}"
"""A regular expression of everything that `parts` takes apart; longest readings first."""

_DATE_WORDS = re.compile(rf"(\d{{1,2}})[ \u00a0]({'|'.join(MONTHS_OF_A_DAY)})[ \u00a0](\d{{4}})")
_DATE_POINTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_DATE_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_PROVISION_PARTS = re.compile(r"([Aa]rt|[Uu]st|pkt|§)\.?[ \u00a0]?(\d+[a-z]?)")


def parts(written: str) -> list[str]:
    """The words under which `written` is indexed.

    "12 marca 2024", "12.03.2024" and "2024-03-12" give the same four; "1 234,56" gives "1234.56"; "art. 5" gives "art",
    "5" and "art.5"; "123-456-32-18" gives "1234563218"; "e-faktura" gives "e-faktura" and "faktura".
    """
    first = written[0]
    if first.isdigit():
        return _date(written) or [_number(written)]
    if provision := _PROVISION_PARTS.fullmatch(written):
        name, number = provision.group(1).lower(), provision.group(2)
        return [name, number, f"{name}.{number}"] if name != "§" else [number, f"§{number}"]
    if len(written) > 2 and written[1] == "-" and first.isalpha():
        return [written, written[2:]]
    return [written]


def _date(written: str) -> list[str]:
    if match := _DATE_WORDS.fullmatch(written):
        day, month, year = match.group(1), MONTHS_OF_A_DAY.index(match.group(2)) + 1, match.group(3)
    elif match := _DATE_POINTS.fullmatch(written):
        day, month, year = match.group(1), int(match.group(2)), match.group(3)
    elif match := _DATE_ISO.fullmatch(written):
        year, month, day = match.group(1), int(match.group(2)), match.group(3)
    else:
        return []
    if not (1 <= month <= 12 and 1 <= int(day) <= 31):
        return []
    return [str(int(day)), MONTHS_OF_A_DAY[month - 1], year, f"{year}-{month:02}-{int(day):02}"]


def _number(written: str) -> str:
    if "-" in written:
        return written.replace("-", "")
    return re.sub(r"\s", "", written).replace(",", ".").lower()
