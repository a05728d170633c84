"""In which chunks words stand: of lists and rows together, as a search finds them at this moment."""

from collections.abc import Mapping, Sequence

import numpy as np

from ingestion.text.index_format.posting_lists import SIZE, Postings
from knowledgetree.postgres.prepared_statements import fetch

# One statement, so that lists and rows are of one moment. What a list has is read from no row but where it is late.
_POSTINGS = """
SELECT a.term_id, {postings}, k.late, (
    SELECT string_agg(
        int4send(p.chunk_id) || int2send(p.lemma_count) || int2send(p.form_count) || int4send(p.length), ''
    )
    FROM ingestion_posting p
    WHERE p.term_id = a.term_id AND p.collection_id = a.collection_id
        AND (l.postings IS NULL OR p.chunk_id > k.packed_to OR p.chunk_id = ANY(k.late))
)
FROM unnest(%s::int[]) AS t(term_id) CROSS JOIN unnest(%s::int[]) AS c(collection_id)
CROSS JOIN LATERAL (SELECT t.term_id, c.collection_id) AS a
JOIN ingestion_collectionstatistics k ON k.collection_id = a.collection_id
LEFT JOIN ingestion_postinglist l
    ON (l.term_id, l.collection_id, l.packed_to) = (a.term_id, a.collection_id, k.packed_to)
"""
_BEGINNING = f"substring(l.postings FROM 1 FOR {SIZE} * %s)"  # of a long list, which is then not read as a whole
_ROW = np.dtype([("chunk", ">i4"), ("lemma", ">i2"), ("form", ">i2"), ("length", ">i4")])


def postings_of(
    terms: Sequence[int], collection_ids: Sequence[int], *, first: int | None = None
) -> Mapping[int, Postings]:
    """By term, in no order; of chunks that may be switched off or gone since: look for them in the table of chunks.
    `first`: of each list so many at most, beside what is in none.
    """
    sql = _POSTINGS.format(postings="l.postings" if first is None else _BEGINNING)
    beginning = [] if first is None else [first]
    found: dict[int, list[Postings]] = {term: [] for term in terms}
    for term, packed, late, rows in fetch(sql, [*beginning, list(found), list(collection_ids)]):
        listed = Postings.unpacked(packed or b"")
        if late and len(listed.chunks):
            listed = listed.kept(~np.isin(listed.chunks, late))
        unpacked = np.frombuffer(rows or b"", _ROW)
        found[term] += [listed, Postings(*(unpacked[name] for name in _ROW.names or ()))]
    return {term: Postings.joined(parts) for term, parts in found.items() if parts}
