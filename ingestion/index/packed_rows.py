"""Rows of postings that posting lists took the place of: dropped, and written again before their chunk goes.

While they are there nobody reads them, so they may go in slices, at any time after the lists are read. The triggers
that count postings are told to look away: nothing is found or not found by it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction

from ingestion.index.postings import counted_words
from ingestion.text.index_format.word_sequences import WordsInOrder
from knowledgetree.postgres.locks import Lock, hold

_TERMS = 1_000  # whose rows are dropped in one transaction

# A chunk without words in order was indexed by a release before 0.1: nothing could write its rows again. One that was
# edited while its document is loaded keeps them, by which it is seen that its words are counted.
_DROP = """
DELETE FROM ingestion_posting p USING ingestion_collectionstatistics s
WHERE s.collection_id = %s AND p.collection_id = s.collection_id AND p.term_id = ANY(%s)
    AND p.chunk_id <= s.packed_to AND p.chunk_id <> ALL(s.late)
    AND EXISTS (SELECT FROM ingestion_chunkwords w WHERE w.chunk_id = p.chunk_id)
    AND NOT EXISTS (
        SELECT FROM ingestion_chunk c JOIN ingestion_loadeddocument l USING (document_id) WHERE c.id = p.chunk_id
    )
"""
_PACKED = """
SELECT w.chunk_id, w.terms FROM ingestion_chunkwords w
JOIN ingestion_collectionstatistics s ON s.collection_id = %s AND w.chunk_id <= s.packed_to
WHERE w.chunk_id = ANY(%s) AND NOT EXISTS (
    SELECT FROM ingestion_chunk c JOIN ingestion_loadeddocument l USING (document_id) WHERE c.id = w.chunk_id
)
"""
_RESTORE = """
INSERT INTO ingestion_posting (term_id, collection_id, chunk_id, lemma_count, form_count, length)
SELECT term, %s, chunk, lemmas, forms, length
FROM unnest(%s::int[], %s::int[], %s::smallint[], %s::smallint[], %s::int[]) AS r(term, chunk, lemmas, forms, length)
ON CONFLICT DO NOTHING
"""


def drop_packed_rows() -> int:
    """Drop the rows that lists have, of each collection that was packed since; how many. Killed, it is done again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT collection_id, packed_to FROM ingestion_collectionstatistics WHERE dropped_to <> packed_to"
        )
        due = cursor.fetchall()
    return sum(_drop(collection, packed_to) for collection, packed_to in due)


def _drop(collection_id: int, packed_to: int) -> int:
    dropped = 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT term_id FROM ingestion_postinglist WHERE collection_id = %s AND packed_to = %s ORDER BY term_id",
            [collection_id, packed_to],
        )
        terms = [term for (term,) in cursor.fetchall()]
        for start in range(0, len(terms), _TERMS):
            with transaction.atomic(), uncounted():
                hold(Lock.COUNTS, collection_id)  # so what is written meanwhile is in `late`, or not there yet
                cursor.execute(_DROP, [collection_id, terms[start : start + _TERMS]])
                dropped += cursor.rowcount
        cursor.execute(
            "UPDATE ingestion_collectionstatistics SET dropped_to = %s WHERE collection_id = %s AND packed_to = %s",
            [packed_to, collection_id, packed_to],
        )
    return dropped


def restore_rows(collection_id: int, chunks: Sequence[int]) -> None:
    """Write the rows of these chunks again that were dropped, so that whoever deletes them takes them off the counts.

    In the transaction that deletes them: until it ends nothing is dropped. Of a loaded document nothing is counted yet.
    """
    hold(Lock.COUNTS, collection_id)
    with connection.cursor() as cursor:
        cursor.execute(_PACKED, [collection_id, list(chunks)])
        packed = [(chunk, WordsInOrder.unpacked(terms)) for chunk, terms in cursor.fetchall()]
        if packed:
            counted = counted_words([chunk for chunk, _ in packed], [words for _, words in packed])
            with uncounted():
                cursor.execute(_RESTORE, [collection_id, *(column.tolist() for column in counted)])


@contextmanager
def uncounted() -> Iterator[None]:
    """Within, the triggers do not count what is written to the postings and deleted from them. In a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('knowledgetree.uncounted', 'on', true)")
        yield
        cursor.execute("SELECT set_config('knowledgetree.uncounted', '', true)")
