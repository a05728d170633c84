"""A chunk that an editor changed: what it says now beside what the document says there."""

import re
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.utils.safestring import mark_safe

from ingestion.library.privacy import masked_chunk
from ingestion.models import Chunk, Extraction
from rag.chat.reading.highlighting import HighlightedText, highlight
from rag.search.links import fingerprint, passage_query

_REACH = 200_000  # characters searched on either side of the old place
_LONGEST = 10_000  # characters of a quote that is searched for
_SEARCHED = 3  # edited chunks that begin nearest before the old place
_WORD_START = re.compile(r"(?<!\S)\S")
_ANCHORS = re.compile(r' id="naglowek-\d+"')


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedPassage:
    """What an editor made of characters [start, end) of the document. Of its text, [cited_start, cited_end) was cited.

    `query` are the parameters of the link that leads here.
    """

    chunk: Chunk
    start: int
    end: int
    query: str
    cited_start: int = 0
    cited_end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BothTexts:
    """The editor's text, what was cited marked in it, and the document's own."""

    edited: HighlightedText
    own: HighlightedText


def find_correction(
    extraction: Extraction, *, start: int, end: int, wanted: str, plain: bool, covered: bool
) -> EditedPassage | None:
    """The edited chunk that has the words whose fingerprint is `wanted`, or is whole what was cited.

    It is looked for as it is where `plain`, and with its personal data `covered`.
    """
    edited = extraction.chunks.exclude(original_text="").filter(start__lte=start).order_by("-start")
    for chunk in edited[:_SEARCHED]:
        for text in [chunk.text] * plain + ([masked_chunk(chunk)] if covered else []):
            if (place := _place(text, start - chunk.start, end - start, wanted)) is not None:
                query = passage_query(start, end, wanted)
                return replace(correction_of(chunk), query=query, cited_start=place[0], cited_end=place[1])
    return None


def correction_of(chunk: Chunk) -> EditedPassage:
    """That of an edited chunk of which nothing in particular is cited."""
    return EditedPassage(chunk=chunk, start=chunk.start, end=chunk.end, query=urlencode({"chunk": chunk.pk}))


def both_texts(correction: EditedPassage, own: str, *, covers: bool, markdown: bool) -> BothTexts:
    """`own` is the document's text as this reader sees it; where that `covers` personal data, the editor's does too."""
    chunk, start, end = correction.chunk, correction.cited_start, correction.cited_end
    text = masked_chunk(chunk) if covers else chunk.text
    edited = highlight(text, start=start, end=end, markdown=markdown)
    return BothTexts(
        edited=_without_anchors(edited),
        own=_without_anchors(highlight(own[correction.start : correction.end], markdown=markdown)),
    )


def place_marked(text: HighlightedText) -> HighlightedText:
    """The document's text whose mark is the place of a correction: the anchor of the citation is in the editor's."""
    html = text.html.replace("<mark>", '<mark class="place">').replace(
        '<mark id="cytat"', '<mark class="place" id="miejsce"'
    )
    return replace(text, html=mark_safe(html))


def nearest(text: str, start: int, length: int, wanted: str) -> int | None:
    """Where words of that `length` and fingerprint begin; quotes do where a word does, so only there it is tried."""
    if not 0 < length <= _LONGEST:
        return None
    words = _WORD_START.finditer(text, max(0, start - _REACH), start + _REACH)
    places = sorted((match.start() for match in words), key=lambda place: abs(place - start))
    return next((place for place in places if fingerprint(text[place : place + length]) == wanted), None)


def _place(text: str, start: int, length: int, wanted: str) -> tuple[int, int] | None:
    if fingerprint(text) == wanted:
        return 0, len(text)
    found = nearest(text, start, length, wanted)
    return None if found is None else (found, found + length)


def _without_anchors(text: HighlightedText) -> HighlightedText:
    """The headings of the whole document have the same."""
    return replace(text, html=mark_safe(_ANCHORS.sub("", text.html)))
