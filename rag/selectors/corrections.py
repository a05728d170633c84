"""A chunk that an editor changed, found by what a link cites of it."""

import re
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from ingestion.library.privacy import masked_chunk
from ingestion.models import Chunk, Extraction
from rag.search.links import fingerprint, passage_query

_REACH = 200_000  # characters searched on either side of the old place
_LONGEST = 10_000  # characters of a quote that is searched for
_SEARCHED = 3  # edited chunks that begin nearest before the old place
_WORD_START = re.compile(r"(?<!\S)\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedPassage:
    """What an editor made of characters [start, end) of the document, as the viewer may see it.

    Of its `text`, [cited_start, cited_end) was cited. `query` are the parameters of the link that leads here.
    """

    text: str
    start: int
    end: int
    query: str
    cited_start: int = 0
    cited_end: int = 0


def find_correction(
    extraction: Extraction, *, start: int, end: int, wanted: str, covered: bool, covers: bool
) -> EditedPassage | None:
    """The edited chunk that has the words whose fingerprint is `wanted`, or is whole what was cited.

    It is looked for with its personal data `covered`, and as it is unless this viewer is one who `covers` them.
    """
    edited = extraction.chunks.exclude(original_text="").filter(start__lte=start).order_by("-start")
    for chunk in edited[:_SEARCHED]:
        for text in ([] if covers else [chunk.text]) + ([masked_chunk(chunk)] if covered else []):
            if (place := _place(text, start - chunk.start, end - start, wanted)) is not None:
                query = passage_query(start, end, wanted)
                return replace(
                    correction_of(chunk, covers=covers), query=query, cited_start=place[0], cited_end=place[1]
                )
    return None


def correction_of(chunk: Chunk, *, covers: bool) -> EditedPassage:
    """That of an edited chunk of which nothing in particular is cited."""
    text = masked_chunk(chunk) if covers else chunk.text
    return EditedPassage(text=text, start=chunk.start, end=chunk.end, query=urlencode({"chunk": chunk.pk}))


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
