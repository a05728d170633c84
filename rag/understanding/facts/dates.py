"""Dates of a text as facts."""

from ingestion.text.calendar import WrittenDate, find_written_dates
from rag.understanding.facts.fact import Fact


def find_dates(text: str) -> list[Fact]:
    """In order of the ways to write them, without overlaps. A month alone is a date too."""
    return [_fact(text, one) for one in find_written_dates(text)]


def _fact(text: str, one: WrittenDate) -> Fact:
    value = tuple(None if part is None else float(part) for part in (one.year, one.month, one.day))
    written = text[one.start : one.end]
    return Fact(kind="date", dimension="date", value=value, written=written, start=one.start, end=one.end)
