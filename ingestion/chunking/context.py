"""Finishes the spans of a chunker: trims them and adds lines, pages and the sentences around."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from ingestion.text.sentences import sentence_spans
from ingestion.types import ChunkDraft, ExtractedText, Page, Span

WINDOW = 1_000
"""Characters searched for sentences on each side of a span; keeps the cost linear in the length of the text.
"""

_FIRST = re.compile(r"\S")


def locate(extracted: ExtractedText, spans: Sequence[Span], *, sentences: int = 2) -> list[ChunkDraft]:
    """A draft for every span that is not blank, without the white space at its ends.

    Lines and pages count from 1 and include both ends; pages are None where the text has none.
    `context_before` and `context_after` are up to `sentences` sentences directly outside the span, "" at
    the edges of the text.
    """
    places = _Places(extracted)
    drafts = (_draft(extracted.text, span, places, sentences) for span in spans)
    return [draft for draft in drafts if draft is not None]


class _Places:
    """Line and page of a character, each by one bisection."""

    def __init__(self, extracted: ExtractedText) -> None:
        self._newlines = [match.start() for match in re.finditer("\n", extracted.text)]
        self._pages: tuple[Page, ...] = extracted.pages
        self._page_starts = [page.start for page in extracted.pages]

    def line(self, position: int) -> int:
        return bisect_right(self._newlines, position - 1) + 1

    def page(self, position: int) -> int | None:
        if not self._pages:
            return None
        return self._pages[max(0, bisect_right(self._page_starts, position) - 1)].number


def _draft(text: str, span: Span, places: _Places, sentences: int) -> ChunkDraft | None:
    first = _FIRST.search(text, span.start, span.end)
    if first is None:
        return None
    start = first.start()
    body = text[start : span.end].rstrip()
    end = start + len(body)
    return ChunkDraft(
        text=body,
        start=start,
        end=end,
        line_start=places.line(start),
        line_end=places.line(end - 1),
        page_start=places.page(start),
        page_end=places.page(end - 1),
        heading_path=span.heading_path,
        kind=span.kind,
        context_before=_last_sentences(text, start, sentences),
        context_after=_first_sentences(text, end, sentences),
    )


def _last_sentences(text: str, position: int, count: int) -> str:
    begin = max(0, position - WINDOW)
    window = text[begin:position]
    found = sentence_spans(window)[-count:] if count > 0 else []
    if begin > 0 and len(found) > 1 and found[0][0] == 0:
        found = found[1:]  # the window cut this sentence in two
    return window[found[0][0] :].strip() if found else ""


def _first_sentences(text: str, position: int, count: int) -> str:
    window = text[position : position + WINDOW]
    found = sentence_spans(window)[:count] if count > 0 else []
    if position + WINDOW < len(text) and len(found) > 1 and found[-1][1] == len(window):
        found = found[:-1]
    return window[: found[-1][1]].strip() if found else ""
