"""Where the words that a link cites stand in their document today."""

import re
from dataclasses import dataclass
from typing import Literal

from ingestion.models import Extraction
from rag.links import fingerprint, passage_query

_REACH = 200_000  # characters searched on either side of the old place
_LONGEST = 10_000  # characters of a quote that is searched for
_CORRECTED_SEARCHED = 3  # chunks that begin nearest before the old place
_WORD_START = re.compile(r"(?<!\S)\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPassage:
    """Characters [start, end) say what was cited; of a passage that is lost `end` equals `start`.

    Lost is one that is "gone" from the document, and one that only a chunk "corrected" by an editor has.
    """

    start: int
    end: int
    fingerprint: str = ""
    lost: Literal["", "gone", "corrected"] = ""

    @property
    def query(self) -> str:
        return passage_query(self.start, self.end, self.fingerprint)


def cited_passage(
    extraction: Extraction, *, start: int, end: int, wanted: str, covered: str | None = None
) -> CitedPassage:
    """The span [start, end) if its fingerprint is `wanted`, else the nearest span of that length whose is.

    `covered` is the same text as readers see it from whom personal data are hidden, which may have been cited as well.
    An empty `wanted` is no citation: whoever wrote the link named the characters, and gets them.
    """
    texts = [text for text in (extraction.text, covered) if text is not None]
    if not wanted or any(fingerprint(text[start:end]) == wanted for text in texts):
        return CitedPassage(start=start, end=end, fingerprint=wanted)
    length = end - start
    for text in texts:
        if (found := _nearest(text, start, length, wanted)) is not None:
            return CitedPassage(start=found, end=found + length, fingerprint=wanted)
    place = min(start, len(extraction.text))
    corrected = _is_in_corrected_chunk(extraction, start, length, wanted)
    return CitedPassage(start=place, end=place, lost="corrected" if corrected else "gone")


def _nearest(text: str, start: int, length: int, wanted: str) -> int | None:
    """Quotes begin where a word begins, so only such places are tried."""
    if not 0 < length <= _LONGEST:
        return None
    words = _WORD_START.finditer(text, max(0, start - _REACH), start + _REACH)
    places = sorted((match.start() for match in words), key=lambda place: abs(place - start))
    return next((place for place in places if fingerprint(text[place : place + length]) == wanted), None)


def _is_in_corrected_chunk(extraction: Extraction, start: int, length: int, wanted: str) -> bool:
    before = extraction.chunks.filter(start__lte=start).order_by("-start")[:_CORRECTED_SEARCHED]
    return any(_nearest(chunk.text, start - chunk.start, length, wanted) is not None for chunk in before)
