"""Where the words that a link cites stand in their document today."""

from dataclasses import dataclass

from ingestion.models import Chunk, Extraction
from rag.search.links import fingerprint, passage_query
from rag.selectors.corrections import EditedPassage, correction_of, find_correction, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPassage:
    """Characters [start, end) say what was cited; of a passage that is gone from the document `end` equals `start`.

    Where only an editor's text has what was cited, that is the `correction`, and [start, end) is what it replaces.
    """

    start: int
    end: int
    fingerprint: str = ""
    gone: bool = False
    correction: EditedPassage | None = None

    @property
    def query(self) -> str:
        return self.correction.query if self.correction else passage_query(self.start, self.end, self.fingerprint)


def cited_passage(
    extraction: Extraction, *, start: int, end: int, wanted: str, covered: str | None = None, covers: bool = False
) -> CitedPassage:
    """The span [start, end) if its fingerprint is `wanted`, else the nearest span of that length whose is.

    `covered` is the same text as readers see it from whom personal data are hidden, which may have been cited as well.
    This reader is one of those if it `covers`: then a place that has such data is taken for the one that somebody else
    cited, and nothing is compared with the data, or a fingerprint could be tried for each number until one fits.
    An empty `wanted` is no citation: whoever wrote the link named the characters, and gets them.
    """
    texts = [text for text in ("" if covers else extraction.text, covered) if text]
    if not wanted or any(fingerprint(text[start:end]) == wanted for text in texts):
        return CitedPassage(start=start, end=end, fingerprint=wanted)
    length = end - start
    for text in texts:
        if (found := nearest(text, start, length, wanted)) is not None:
            return CitedPassage(start=found, end=found + length, fingerprint=wanted)
    correction = find_correction(
        extraction, start=start, end=end, wanted=wanted, covered=covered is not None, covers=covers
    )
    if correction:
        return CitedPassage(start=correction.start, end=correction.end, correction=correction)
    if covers and covered is not None and covered[start:end] != extraction.text[start:end]:
        return CitedPassage(start=start, end=end, fingerprint=wanted)
    place = min(start, len(extraction.text))
    return CitedPassage(start=place, end=place, gone=True)


def passage_of(chunk: Chunk, *, covers: bool) -> CitedPassage:
    """The place of `chunk`, with what an editor made of it."""
    correction = correction_of(chunk, covers=covers) if chunk.edited else None
    return CitedPassage(start=chunk.start, end=chunk.end, correction=correction)
