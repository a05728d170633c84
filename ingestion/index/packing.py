"""Posting lists of frequent words, packed from the rows of large collections; they take the place of the rows.

A list has the chunks up to the collection's `packed_to`. Newer ones, and those whose postings were written anew since
(`late`), are searched by their rows; a chunk that is gone is in no table that results are read from. So a search is
right at every moment, however old the lists are. Rows that a list has are read by nobody, and dropped
(`ingestion.index.packed_rows`); new lists are made of the old ones and of the rows that came since.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from ingestion.index.packed_rows import drop_packed_rows
from ingestion.text.index_format.posting_lists import Postings
from knowledgetree.postgres.copying import copy
from knowledgetree.postgres.locks import Lock, held_over_transactions, hold

LEAST_POSTINGS = 8
"""Of a term that is packed. A row with its place in the index takes 100 bytes, a list 80 and 8 a posting."""

_LEAST_CHUNKS = 5_000  # below, rows are quick enough
_MOST_LATE = 200
TERMS = 1_000
"""Packed in one transaction."""

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
WHERE collection_id = %s RETURNING packed_to, packing_to, late
"""
# The trigger adds to the end of `late`. An erasure meanwhile has set `packing_to` to 0.
_FINISH = """
UPDATE ingestion_collectionstatistics SET packed_to = packing_to, late = late[%(late)s + 1:]
WHERE collection_id = %(collection)s AND packing_to = %(end)s
"""
# A term that has a list keeps it, however few postings are left: its rows are gone.
_FREQUENT = """
SELECT term_id FROM ingestion_termstatistics
WHERE collection_id = %(collection)s AND greatest(lemma_chunks, form_chunks) >= %(least)s
UNION SELECT term_id FROM ingestion_postinglist WHERE collection_id = %(collection)s AND packed_to = %(packed_to)s
ORDER BY term_id
"""
_LISTS = """
COPY (
    SELECT term_id, postings FROM ingestion_postinglist
    WHERE collection_id = %s AND term_id = ANY(%s) AND packed_to = %s
) TO STDOUT (FORMAT BINARY)
"""
_CHUNKS = "SELECT id FROM ingestion_chunk WHERE collection_id = %s AND id <= %s"
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
_LIST = struct.Struct(">hiii")  # fields, size of the term, the term, size of its list
_HEADER, _TRAILER = 19, 2
_NO_LISTS: Mapping[int, bytes] = {}
_NONE = Postings.unpacked(b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """Lists up to the chunk `start` become lists up to `end`. Of `late` chunks rows are right and lists wrong."""

    collection_id: int
    start: int
    end: int
    late: Sequence[int]


def pack_postings() -> int:
    """Pack the postings of each collection where much is new; how many collections. A killed worker loses nothing.

    What lists took the place of before is dropped first: by now nobody searches who saw the collection without them.
    """
    drop_packed_rows()
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {"late": _MOST_LATE, "least": _LEAST_CHUNKS})
        due = [collection for (collection,) in cursor.fetchall()]
    return sum(pack_collection(collection) for collection in due)


def pack_collection(collection_id: int, *, least: int = LEAST_POSTINGS) -> bool:
    """Pack the postings of terms that have at least so many. False where another worker does, or an erasure came."""
    with held_over_transactions(Lock.PACKING, collection_id) as alone:
        if not alone:
            return False
        packing = begin_packing(collection_id)
        carried = living_chunks(collection_id, packing.end)
        carried[[chunk for chunk in packing.late if chunk <= packing.end]] = False
        for terms in _frequent(packing, least):
            with transaction.atomic():
                write_lists(packing, list(joined_lists(packing, terms, carried)))
        return finish_packing(packing)


def forget_gone_chunks(collection_id: int) -> None:
    """Leave nothing in posting lists of chunks that are gone, for an erasure; lists being made are not used then."""
    hold(Lock.COUNTS, collection_id)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE ingestion_collectionstatistics SET packing_to = packed_to WHERE collection_id = %s "
            "RETURNING packed_to",
            [collection_id],
        )
        packed_to = (cursor.fetchone() or [0])[0]
        cursor.execute(
            "DELETE FROM ingestion_postinglist WHERE collection_id = %s AND packed_to <> %s", [collection_id, packed_to]
        )
        cursor.execute("SELECT term_id FROM ingestion_postinglist WHERE collection_id = %s", [collection_id])
        terms = [term for (term,) in cursor.fetchall()]
        living = living_chunks(collection_id, packed_to)
        for start in range(0, len(terms), TERMS):
            _rewrite(collection_id, _read_lists(collection_id, terms[start : start + TERMS], packed_to), living)


def _rewrite(collection_id: int, lists: Mapping[int, bytes], living: NDArray[np.bool_]) -> None:
    with connection.cursor() as cursor:
        for term, packed in lists.items():
            postings = Postings.unpacked(packed)
            kept = postings.kept(living[postings.chunks])
            if len(kept.chunks) < len(postings.chunks):
                cursor.execute(
                    "UPDATE ingestion_postinglist SET postings = %s WHERE collection_id = %s AND term_id = %s",
                    [kept.packed(), collection_id, term],
                )


def begin_packing(collection_id: int) -> Packing:
    """What is to be packed, and which chunks are late by now. Writers of postings hold the same lock: those of the
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
        start, end, late = cursor.fetchone()
        return Packing(collection_id=collection_id, start=start, end=end, late=late)


def living_chunks(collection_id: int, end: int) -> NDArray[np.bool_]:
    """By key, up to `end`: whether there is such a chunk."""
    living = np.zeros(end + 1, bool)
    with connection.cursor() as cursor:
        cursor.execute(_CHUNKS, [collection_id, end])
        living[[chunk for (chunk,) in cursor.fetchall()]] = True
    return living


def _frequent(packing: Packing, least: int) -> Iterator[list[int]]:
    values = {"collection": packing.collection_id, "least": least, "packed_to": packing.start}
    with connection.cursor() as cursor:
        cursor.execute(_FREQUENT, values)
        terms = [term for (term,) in cursor.fetchall()]
    yield from (terms[start : start + TERMS] for start in range(0, len(terms), TERMS))


def joined_lists(
    packing: Packing, terms: Sequence[int], carried: NDArray[np.bool_], loaded: Mapping[int, bytes] = _NO_LISTS
) -> Iterator[tuple[int, bytes]]:
    """(term, list) of those that have postings: what the old list has of chunks that are `carried`, the rows, and what
    is `loaded`, which is in neither.
    """
    old = _read_lists(packing.collection_id, terms, packing.start)
    new = _rows(packing, terms)
    for term in terms:
        if packed := _joined(old.get(term, b""), new.get(term, _NONE), loaded.get(term, b""), carried):
            yield term, packed


def _joined(old: bytes, rows: Postings, loaded: bytes, carried: NDArray[np.bool_]) -> bytes:
    former, latest = Postings.unpacked(old), Postings.unpacked(loaded)
    kept = carried[former.chunks]
    in_order = not (old and loaded) or former.chunks[-1] < latest.chunks[0]
    if in_order and not len(rows.chunks) and kept.all():
        return old + loaded
    if len(rows.chunks):  # rows are right
        kept &= ~np.isin(former.chunks, rows.chunks)
    return Postings.joined([former.kept(kept), rows, latest]).packed()


def _read_lists(collection_id: int, terms: Sequence[int], packed_to: int) -> dict[int, bytes]:
    with copy(_LISTS, [collection_id, list(terms), packed_to]) as copied:
        raw = b"".join(copied)
    lists, place = {}, _HEADER
    while place < len(raw) - _TRAILER:
        _, _, term, size = _LIST.unpack_from(raw, place)
        place += _LIST.size + size
        lists[term] = raw[place - size : place]
    return lists


def _rows(packing: Packing, terms: Sequence[int]) -> Mapping[int, Postings]:
    with copy(_ROWS, [packing.collection_id, list(terms), packing.end]) as copied:
        rows = np.frombuffer(b"".join(copied)[_HEADER:-_TRAILER], _TUPLE)
    parts = np.split(rows, np.flatnonzero(np.diff(rows["term"])) + 1)
    return {
        int(part["term"][0]): Postings(*(part[name] for name in ("chunk", "lemma", "form", "length")))
        for part in parts
        if len(part)
    }


def write_lists(packing: Packing, lists: Sequence[tuple[int, bytes]]) -> None:
    columns = "COPY ingestion_postinglist (term_id, collection_id, packed_to, postings) FROM STDIN (FORMAT BINARY)"
    with copy(columns) as rows:
        rows.set_types(["int4", "int4", "int4", "bytea"])
        for term, packed in lists:
            rows.write_row((term, packing.collection_id, packing.end, packed))


def finish_packing(packing: Packing, *, done: bool = True) -> bool:
    """From now on searches read the new lists; the old ones, where it is not `done` or an erasure came meanwhile."""
    values = {"collection": packing.collection_id, "end": packing.end, "late": len(packing.late)}
    with transaction.atomic(), connection.cursor() as cursor:
        if done:
            cursor.execute(_FINISH, values)
            done = bool(cursor.rowcount)
        cursor.execute(
            "DELETE FROM ingestion_postinglist WHERE collection_id = %s AND (packed_to = %s) <> %s",
            [packing.collection_id, packing.end, done],
        )
    return done
