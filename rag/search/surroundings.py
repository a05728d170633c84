"""The chunks around a found one, with the text of the document that they stand in."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db import connection

from rag.types import Place

# The chunks around each found one, in order, and once a found chunk the text that they cover: an extraction may have
# megabytes, and every `substr` unpacks them.
_AROUND = """
SELECT f.id, n.id, n.enabled, n.text, n.start, n."end", n.line_start, n.line_end, n.page_start, n.page_end,
       n.heading_path, n.context_before, n.context_after, min(n.start) OVER around,
       CASE WHEN n.id = f.id
            THEN substr(e.text, 1 + min(n.start) OVER around, max(n."end") OVER around - min(n.start) OVER around)
       END
FROM ingestion_chunk f
JOIN ingestion_extraction e ON e.id = f.extraction_id
JOIN ingestion_chunk n ON n.extraction_id = f.extraction_id
    AND n.ordinal BETWEEN f.ordinal - %(reach)s AND f.ordinal + %(reach)s
WHERE f.id = ANY(%(chunks)s)
WINDOW around AS (PARTITION BY f.id)
ORDER BY f.id, n.ordinal
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A chunk near a found one; `text` is the chunk's own, which an editor may have changed."""

    place: Place
    enabled: bool
    text: str
    line_start: int
    line_end: int
    context_before: str
    context_after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """`chunks` in the document's order, number `found` is the one in the middle; `text` is the document's from
    character `start` on, as far as they reach.
    """

    chunks: Sequence[Neighbour]
    found: int
    start: int
    text: str

    def between(self, start: int, end: int) -> str:
        return self.text[start - self.start : end - self.start]

    def is_true(self, chunk: Neighbour) -> bool:
        """Whether the chunk is searched and says what the document says."""
        return chunk.enabled and chunk.text == self.between(chunk.place.start, chunk.place.end)

    def is_whole(self, chunks: Sequence[Neighbour]) -> bool:
        """Whether nothing but white space stands between the chunks."""
        return all(
            left.place.start <= right.place.start and not self.between(left.place.end, right.place.start).strip()
            for left, right in pairwise(chunks)
        )


def load_surroundings(chunk_ids: Sequence[int], *, reach: int) -> dict[int, Surroundings]:
    """By found chunk, with `reach` chunks on either side. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_AROUND, {"chunks": list(chunk_ids), "reach": reach})
        rows = cursor.fetchall()
    chunks: dict[int, list[Neighbour]] = {}
    middles: dict[int, tuple[int, int, str]] = {}
    for found, *columns, start, text in rows:
        around = chunks.setdefault(found, [])
        if text is not None:
            middles[found] = len(around), start, text
        around.append(_neighbour(columns))
    return {
        key: Surroundings(chunks=chunks[key], found=place, start=start, text=text)
        for key, (place, start, text) in middles.items()
    }


def _neighbour(row: Sequence[Any]) -> Neighbour:
    key, enabled, text, start, end, line_start, line_end, page_start, page_end, headings, before, after = row
    return Neighbour(
        place=Place(
            chunk_id=key,
            start=start,
            end=end,
            page_start=page_start,
            page_end=page_end,
            heading_path=tuple(headings),
        ),
        enabled=enabled,
        text=text,
        line_start=line_start,
        line_end=line_end,
        context_before=before,
        context_after=after,
    )
