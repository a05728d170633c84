"""Chunks as passages, one query for a whole list."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils import timezone

from ingestion.selectors.clearance import UNCLEARED, Clearance
from ingestion.selectors.days_in_force import FIRST_DAY, LAST_DAY
from knowledgetree.postgres.prepared_statements import fetch
from rag.types import Explanation, Passage, TimeInForce

_LOAD = """
SELECT c.id, d.id, k.slug, d.title, d.uri, d.media_type, c.text, c.start, c."end", c.line_start, c.line_end,
       c.page_start, c.page_end, c.heading_path, c.context_before, c.context_after,
       d.category, d.tags, coalesce(d.valid_from, (d.modified AT TIME ZONE %s)::date), e.extractor,
       EXISTS (SELECT FROM ingestion_extraction own WHERE own.document_id = c.document_id AND own.id < e.id),
       {first_day}, {last_day}, w.terms
FROM ingestion_chunk c
LEFT JOIN ingestion_chunkwords w ON w.chunk_id = c.id
JOIN ingestion_extraction e ON e.id = c.extraction_id
JOIN ingestion_document d ON d.id = c.document_id
JOIN ingestion_collection own ON own.id = c.collection_id
JOIN ingestion_collection k ON k.id = coalesce(own.archive_of_id, own.id)
WHERE c.id = ANY(%s) AND c.collection_id = ANY(%s) AND {readable}
"""


def load_passages(
    found: Mapping[int, Explanation], collection_ids: Sequence[int], *, clearance: Clearance = UNCLEARED
) -> tuple[list[Passage], dict[int, bytes]]:
    """The passages of chunks, by key, each scored as it was fused; in the order of `found`. And the words of each that
    the forward index has (`ChunkWords`), by key of the chunk.

    A chunk deleted since it was found is missing, and so is one that `clearance` does not open.
    """
    readable, parameters = clearance.sql()
    asked = [timezone.get_current_timezone_name(), list(found), list(collection_ids), *parameters]
    found_rows = fetch(_LOAD.format(first_day=FIRST_DAY, last_day=LAST_DAY, readable=readable), asked)
    rows = {row[0]: row for row in found_rows}
    passages = [_passage(rows[chunk], explanation) for chunk, explanation in found.items() if chunk in rows]
    return passages, {chunk: row[-1] for chunk, row in rows.items() if row[-1] is not None}


def _held(first: date | None, last: date | None) -> TimeInForce | None:
    if first is None and last is None:
        return None
    today = timezone.localdate()
    holds = (first is None or first <= today) and (last is None or last >= today)
    return None if holds else TimeInForce(first=first, last=last)


def _passage(row: Sequence[Any], explanation: Explanation) -> Passage:
    return Passage(
        chunk_id=row[0],
        document_id=row[1],
        collection=row[2],
        title=row[3],
        uri=row[4],
        media_type=row[5],
        text=row[6],
        start=row[7],
        end=row[8],
        line_start=row[9],
        line_end=row[10],
        page_start=row[11],
        page_end=row[12],
        heading_path=tuple(row[13]),
        context_before=row[14],
        context_after=row[15],
        category=row[16],
        tags=tuple(row[17]),
        dated=row[18],
        extractor=row[19],
        second=row[20],
        held=_held(row[21], row[22]),
        score=explanation.fusion_score,
        explanation=explanation,
    )
