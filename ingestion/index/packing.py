"""Posting lists of frequent words, packed from the rows of large collections; a search reads them instead.

A list has the chunks up to the collection's `packed_to`. Newer ones, and those whose postings were written anew since
(`late`), are searched by their rows; a chunk that is gone is in no table that results are read from. So a search is
right at every moment, however old the lists are.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from django.db import connection, transaction

from ingestion.text.index_format.posting_lists import Postings
from knowledgetree.postgres.copying import copy
from knowledgetree.postgres.locks import Lock, held_over_transactions, hold

LEAST_POSTINGS = 256
"""Of a term that is packed; fewer are read as quickly from their rows."""

_LEAST_CHUNKS = 5_000  # below, rows are quick enough
_MOST_LATE = 200
_TERMS = 200  # packed in one transaction

_DUE = """
SELECT s.collection_id FROM ingestion_collectionstatistics s
WHERE cardinality(s.late) > %(late)s OR greatest(%(least)s, s.chunks / 10) <= (
    SELECT count(*) FROM ingestion_chunk c WHERE c.collection_id = s.collection_id AND c.id > s.packed_to
)
"""
# Farther than the lists that there are, which have the old end in their keys.
_BEGIN = """
UPDATE ingestion_collectionstatistics s
SET packing_to = greatest(
    packed_to + 1, (SELECT max(id) FROM ingestion_chunk c WHERE c.collection_id = s.collection_id)
)
WHERE collection_id = %s RETURNING packing_to, cardinality(late)
"""
# The trigger adds to the end of `late`. An erasure meanwhile has set `packing_to` to 0.
_FINISH = """
UPDATE ingestion_collectionstatistics SET packed_to = packing_to, late = late[%(late)s + 1:]
WHERE collection_id = %(collection)s AND packing_to = %(end)s
"""
_FREQUENT = """
SELECT term_id FROM ingestion_termstatistics
WHERE collection_id = %s AND greatest(lemma_chunks, form_chunks) >= %s ORDER BY term_id
"""
_ROWS = """
COPY (
    SELECT term_id, chunk_id, lemma_count, form_count, length FROM ingestion_posting
    WHERE collection_id = %s AND term_id = ANY(%s) AND chunk_id <= %s ORDER BY term_id, chunk_id
) TO STDOUT (FORMAT BINARY)
"""
# In the binary format a tuple begins with the number of its fields, and each field with its length.
_FIELDS = {"term": ">i4", "chunk": ">i4", "lemma": ">i2", "form": ">i2", "length": ">i4"}
_TUPLE = np.dtype(
    [
        ("fields", ">i2"),
        *(part for name, kind in _FIELDS.items() for part in ((f"size of {name}", ">i4"), (name, kind))),
    ]
)
_HEADER, _TRAILER = 19, 2


def pack_postings() -> int:
    """Pack the postings of each collection where much is new; how many collections. A killed worker loses nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {"late": _MOST_LATE, "least": _LEAST_CHUNKS})
        due = [collection for (collection,) in cursor.fetchall()]
    return sum(pack_collection(collection) for collection in due)


def pack_collection(collection_id: int, *, least: int = LEAST_POSTINGS) -> bool:
    """Pack the postings of terms that have at least so many. False where another worker does, or an erasure came."""
    with held_over_transactions(Lock.PACKING, collection_id) as alone:
        if not alone:
            return False
        end, late = _begin(collection_id)
        for terms in _frequent(collection_id, least):
            with transaction.atomic():
                _write(collection_id, end, list(_lists(collection_id, terms, end)))
        return _finish(collection_id, end, late)


def unpack(collection_id: int) -> None:
    """Leave no posting list, for an erasure; until they are packed anew, rows are searched."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE ingestion_collectionstatistics SET packed_to = 0, packing_to = 0, late = '{}' "
            "WHERE collection_id = %s",
            [collection_id],
        )
        cursor.execute("DELETE FROM ingestion_postinglist WHERE collection_id = %s", [collection_id])


def _begin(collection_id: int) -> tuple[int, int]:
    """The last chunk to be packed, and how many are late by now. Writers of postings hold the same lock: those of the
    chunks up to there are committed, or their trigger will find that they are late.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        hold(Lock.COUNTS, collection_id)
        cursor.execute(
            "DELETE FROM ingestion_postinglist l USING ingestion_collectionstatistics s "
            "WHERE l.collection_id = %s AND s.collection_id = l.collection_id AND l.packed_to <> s.packed_to",
            [collection_id],
        )
        cursor.execute(_BEGIN, [collection_id])
        end, late = cursor.fetchone()
        return int(end), int(late)


def _frequent(collection_id: int, least: int) -> Iterator[list[int]]:
    with connection.cursor() as cursor:
        cursor.execute(_FREQUENT, [collection_id, least])
        terms = [term for (term,) in cursor.fetchall()]
    yield from (terms[start : start + _TERMS] for start in range(0, len(terms), _TERMS))


def _lists(collection_id: int, terms: Sequence[int], end: int) -> Iterator[tuple[int, bytes]]:
    """(term, list) of those whose postings fit."""
    with copy(_ROWS, [collection_id, terms, end]) as copied:
        rows = np.frombuffer(b"".join(copied)[_HEADER:-_TRAILER], _TUPLE)
    for of_term in np.split(rows, np.flatnonzero(np.diff(rows["term"])) + 1):
        postings = Postings(*(of_term[name] for name in ("chunk", "lemma", "form", "length")))
        if len(of_term) and postings.fit():
            yield int(of_term["term"][0]), postings.packed()


def _write(collection_id: int, end: int, lists: Sequence[tuple[int, bytes]]) -> None:
    columns = "COPY ingestion_postinglist (term_id, collection_id, packed_to, postings) FROM STDIN (FORMAT BINARY)"
    with copy(columns) as rows:
        rows.set_types(["int4", "int4", "int4", "bytea"])
        for term, packed in lists:
            rows.write_row((term, collection_id, end, packed))


def _finish(collection_id: int, end: int, late: int) -> bool:
    """From now on searches read the new lists."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_FINISH, {"collection": collection_id, "end": end, "late": late})
        done = bool(cursor.rowcount)
        cursor.execute(
            "DELETE FROM ingestion_postinglist WHERE collection_id = %s AND (packed_to = %s) <> %s",
            [collection_id, end, done],
        )
    return done
