"""What is told apart by its number alone: provisions of the law, account and register numbers, versions, codes."""

import re
from collections.abc import Iterator

from ingestion.text.names.identifiers import find_identifiers
from rag.understanding.facts.fact import Fact

_S = "[ \u00a0]?"
_NUMBER = r"\d+[a-z]{0,2}\b"
_PART = rf"(?:[Aa]rt\.|§|[Uu]st\.|pkt\.?|[Pp]unkt\w{{0,3}}|[Aa]rtykuł\w{{0,3}}|[Uu]stęp\w{{0,3}}){_S}{_NUMBER}"
_PROVISION = re.compile(rf"{_PART}(?:,?{_S}{_PART}|{_S}lit\.{_S}[a-z]\b)*")
_EACH = re.compile(rf"([Aa]rt|§|[Uu]st|pkt|[Pp]unkt|lit)[^\W\d]*\.?{_S}(\d+[a-z]{{0,2}}|[a-z]\b)")
_NAMES = {"punkt": "pkt"}
_DIGITS = re.compile(r"(?<![\w.,-])(?:\d{2,}(?:[-–]\d{2,}){2,}|\d{2}(?: \d{4}){6}|\d+(?:\.\d+){2,}|\d{9,})(?![\w-])")
_ADDRESS = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bhttps?://\S+[\w/]|\b(?:[\w-]+\.)+(?:pl|com|eu|org|gov|net)\b")


_TELEPHONE = re.compile(r"\(\d{2}\) ?\d{3}(?:[ -]\d{2}){2}\b|\+\d{2}(?: \d{2,3}){3,4}\b")


def find_provisions(text: str) -> list[Fact]:
    """Provisions and identifiers, those of different kinds perhaps overlapping."""
    return [*_provisions(text), *_identifiers(text)]


def _provisions(text: str) -> Iterator[Fact]:
    for match in _PROVISION.finditer(text):
        parts = [(name.lower(), number) for name, number in _EACH.findall(match.group())]
        value = tuple(f"{_NAMES.get(name, name)}.{number}" for name, number in parts)
        yield Fact(
            kind="number",
            dimension="provision",
            value=value,
            written=match.group(),
            start=match.start(),
            end=match.end(),
        )


def _identifiers(text: str) -> Iterator[Fact]:
    for pattern in (_ADDRESS, _TELEPHONE, _DIGITS):
        for match in pattern.finditer(text):
            key = match.group().lower() if pattern is _ADDRESS else re.sub(r"[ –()-]", "", match.group())
            yield _identifier(key, match.group(), match.start())
    for named in find_identifiers(text):
        if not named.key.startswith("art."):
            yield _identifier(named.key, named.name, named.start, named.end)


def _identifier(key: str, written: str, start: int, end: int = 0) -> Fact:
    return Fact(
        kind="name", dimension="identifier", value=(key,), written=written, start=start, end=end or start + len(written)
    )
