"""JSON with a line for each value, because lines are what is quoted; a file in one line would be one quote."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ingestion.reading.encoding import clean, decode
from ingestion.reading.failures import require_text
from ingestion.types import ExtractedText, Progress

_INDENT = "  "


class JsonExtractor:
    """The same members in the same order, indented by two; Polish letters that were escaped become letters.

    Numbers stay as they were written (1.50), and so does a file that is no valid JSON.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        text = require_text(decode(content))
        with suppress(ValueError, RecursionError):
            text = require_text(clean(indented(text)))
        progress(1, 1)
        return ExtractedText(text=text, extractor="json")


def indented(text: str) -> str:
    """The JSON in `text` with a line for each value; raises ValueError or RecursionError where it is none."""
    return "".join(_lines(_parsed(text)))


class _Written(str):
    """A number, or another literal, as the file has it."""

    __slots__ = ()


class _Members(list[tuple[str, Any]]):
    """Of an object: repeated names stay."""


def _parsed(text: str) -> Any:
    return json.loads(
        text, parse_int=_Written, parse_float=_Written, parse_constant=_Written, object_pairs_hook=_Members
    )


def _lines(value: Any, margin: str = "\n") -> Iterator[str]:
    """Pieces of text; `margin` is what begins a line at this depth."""
    if isinstance(value, _Members):
        items = [(f"{_scalar(name)}: ", inner) for name, inner in value]
    elif isinstance(value, list):
        items = [("", inner) for inner in value]
    else:
        yield _scalar(value)
        return
    opening, closing = "{}" if isinstance(value, _Members) else "[]"
    yield opening
    for number, (label, inner) in enumerate(items):
        yield f"{',' if number else ''}{margin}{_INDENT}{label}"
        yield from _lines(inner, margin + _INDENT)
    yield f"{margin}{closing}" if items else closing


def _scalar(value: Any) -> str:
    return value if isinstance(value, _Written) else json.dumps(value, ensure_ascii=False)
