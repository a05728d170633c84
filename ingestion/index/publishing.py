"""The words of a bulk of documents, put into posting lists at once.

A row for each posting, counted by a trigger, packed into a list ten minutes later and dropped then, is right for a
document that somebody waits for. Of thousands it is most of what PostgreSQL does for them. A bulk writes the forward
index alone and says which documents it left so (`LoadedDocument`); here their postings are made of it, joined with the
lists that there are, and the documents become ready: in one transaction that writes neither lists nor texts.

Whoever is killed in it leaves documents that nobody finds yet; the next bulk of the collection, or a worker within ten
minutes, goes on from there.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from ingestion.index.packed_rows import uncounted
from ingestion.index.packing import (
    LEAST_POSTINGS,
    TERMS,
    Packing,
    begin_packing,
    finish_packing,
    joined_lists,
    living_chunks,
    write_lists,
)
from ingestion.index.postings import CountedWords, copy_postings, counted_words
from ingestion.index.vocabulary import hold_vocabulary
from ingestion.text.index_format.posting_lists import SIZE, Postings
from ingestion.text.index_format.word_sequences import WordsInOrder
from knowledgetree.postgres.copying import copy_columns
from knowledgetree.postgres.locks import Lock, held_over_transactions, hold
from knowledgetree.postgres.prepared_statements import fetch

MOST_DOCUMENTS = 150_000
"""Published at once: their postings are held in memory, some kilobytes a passage."""

_LEAST_DOCUMENTS = 20_000
_PATIENCE = 0.5  # seconds
_CHUNKS = 10_000  # whose words are read and counted at once

_DOCUMENTS = """
SELECT l.document_id FROM ingestion_loadeddocument l JOIN ingestion_document d ON d.id = l.document_id
WHERE d.collection_id = %s ORDER BY l.document_id
"""
# Of a chunk that somebody edited meanwhile there are rows: those are counted.
_LOADED = """
SELECT w.chunk_id{terms} FROM unnest(%s::int[]) AS l(document_id) JOIN ingestion_chunk c USING (document_id)
JOIN ingestion_chunkwords w ON w.chunk_id = c.id
WHERE c.collection_id = %s AND NOT EXISTS (SELECT FROM ingestion_posting p WHERE p.chunk_id = c.id)
ORDER BY w.chunk_id
"""
# The temporary table has what the triggers would count of the rows.
_COUNTS = "CREATE TEMPORARY TABLE published (term_id integer, lemmas integer, forms integer)"
_ADD_TERMS = """
INSERT INTO ingestion_termstatistics AS s (term_id, collection_id, lemma_chunks, form_chunks)
SELECT term_id, %s, lemmas, forms FROM published ORDER BY term_id
ON CONFLICT (term_id, collection_id) DO UPDATE
    SET lemma_chunks = s.lemma_chunks + excluded.lemma_chunks, form_chunks = s.form_chunks + excluded.form_chunks
"""
_ADD_CHUNKS = """
UPDATE ingestion_collectionstatistics SET chunks = chunks + %s, words = words + %s WHERE collection_id = %s
"""
_READY = """
WITH done AS (DELETE FROM ingestion_loadeddocument WHERE document_id = ANY(%s) RETURNING document_id)
UPDATE ingestion_document d SET status = 'ready', indexed = now() FROM done
WHERE d.id = done.document_id AND d.status = 'processing'
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    """The postings of loaded documents, in the order of the terms and, of a term, of the chunks."""

    documents: list[int]
    chunks: list[int]
    lengths: NDArray[np.int64]
    """How many words each of `chunks` has."""
    counted: CountedWords
    terms: NDArray[np.int32]
    starts: NDArray[np.int64]
    """Where each of `terms` begins, and where the last ends."""


def publish_loaded() -> int:
    """Publish what bulks left, of each collection; how many documents."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT d.collection_id FROM ingestion_loadeddocument l "
            "JOIN ingestion_document d ON d.id = l.document_id"
        )
        waiting = [collection for (collection,) in cursor.fetchall()]
    return sum(publish_collection(collection) for collection in waiting)


@contextmanager
def published_meanwhile(collection_id: int) -> Iterator[Callable[[int], None]]:
    """Within, call what it gives with how many documents were loaded since; at the end all are published. The more are
    published, the rarer it is done, for all lists are written anew.
    """
    loaded = published = 0

    def note(documents: int) -> None:
        nonlocal loaded, published
        loaded += documents
        if loaded >= min(max(_LEAST_DOCUMENTS, published // 2), MOST_DOCUMENTS):
            published += publish_collection(collection_id)
            loaded = 0

    try:
        yield note
    finally:
        while _loaded_documents(collection_id) and not publish_collection(collection_id):
            time.sleep(_PATIENCE)  # a worker packs the postings of this collection


def publish_collection(collection_id: int) -> int:
    """Publish the documents of a collection that are loaded by now; how many. 0 where another process packs its
    postings just now.
    """
    published = 0
    with held_over_transactions(Lock.PACKING, collection_id) as alone:
        waiting = _loaded_documents(collection_id) if alone else []
        for start in range(0, len(waiting), MOST_DOCUMENTS):
            part = waiting[start : start + MOST_DOCUMENTS]
            while part and not _publish(collection_id, part):  # a document went or was edited meanwhile
                part = sorted({*part} & {*_loaded_documents(collection_id)})
            published += len(part)
    return published


def _loaded_documents(collection_id: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_DOCUMENTS, [collection_id])
        return [document for (document,) in cursor.fetchall()]


def _publish(collection_id: int, documents: list[int]) -> bool:
    loaded = _read(collection_id, documents)
    _enter_statistics(collection_id)
    packing = begin_packing(collection_id)
    carried = living_chunks(collection_id, packing.end)
    carried[[chunk for chunk in packing.late if chunk <= packing.end]] = False
    frequent = _frequent(packing, loaded)
    packed = _packed(loaded)
    for start in range(0, len(frequent), TERMS):
        terms = frequent[start : start + TERMS].tolist()
        with transaction.atomic():
            write_lists(packing, list(joined_lists(packing, terms, carried, packed)))
    return _finish(packing, loaded, frequent)


def _read(collection_id: int, documents: list[int]) -> _Loaded:
    """Counts the words of the documents' chunks, as the forward index has them."""
    chunks: list[int] = []
    parts: list[CountedWords] = []
    lengths: list[int] = []
    for keys, words in _words_of(collection_id, documents):
        chunks += keys
        lengths += [len(one.forms) for one in words]
        parts.append(counted_words(keys, words))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.empty(0, "i4")] * 5
    counted = CountedWords(*columns).taken(np.lexsort((columns[1], columns[0])))
    terms, starts = np.unique(counted.terms, return_index=True)
    in_order = np.argsort(chunks)  # of documents that two processes wrote, a later one may have the earlier chunks
    return _Loaded(
        documents=documents,
        chunks=np.array(chunks, np.int64)[in_order].tolist(),
        lengths=np.array(lengths, np.int64)[in_order],
        counted=counted,
        terms=terms,
        starts=np.append(starts, len(counted.terms)),
    )


def _words_of(collection_id: int, documents: list[int]) -> Iterator[tuple[list[int], list[WordsInOrder]]]:
    for start in range(0, len(documents), _CHUNKS):
        if rows := fetch(_LOADED.format(terms=", w.terms"), [documents[start : start + _CHUNKS], collection_id]):
            yield [chunk for chunk, _ in rows], [WordsInOrder.unpacked(packed) for _, packed in rows]


def _enter_statistics(collection_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ingestion_collectionstatistics (collection_id, chunks, words) VALUES (%s, 0, 0) "
            "ON CONFLICT DO NOTHING",
            [collection_id],
        )


def _frequent(packing: Packing, loaded: _Loaded) -> NDArray[np.int32]:
    """The terms that get a list: those that have one, and those that have enough postings now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT s.term_id, greatest(s.lemma_chunks, s.form_chunks), l.term_id IS NOT NULL "
            "FROM ingestion_termstatistics s LEFT JOIN ingestion_postinglist l "
            "ON (l.term_id, l.collection_id, l.packed_to) = (s.term_id, s.collection_id, %s) "
            "WHERE s.collection_id = %s",
            [packing.start, packing.collection_id],
        )
        known = np.array(cursor.fetchall() or np.empty((0, 3)), np.int64)
    terms = np.concatenate([known[:, 0], loaded.terms])
    counts = np.concatenate([known[:, 1] + LEAST_POSTINGS * known[:, 2], np.diff(loaded.starts)])
    unique, place = np.unique(terms, return_inverse=True)
    return unique[np.bincount(place, counts, len(unique)) >= LEAST_POSTINGS].astype("i4")


def _packed(loaded: _Loaded) -> Mapping[int, bytes]:
    """The postings of each term in one piece."""
    counted = loaded.counted
    whole = Postings(counted.chunks.astype("u4"), counted.lemmas, counted.forms, counted.lengths).packed()
    bounds = (loaded.starts * SIZE).tolist()
    pairs = zip(loaded.terms.tolist(), bounds, bounds[1:], strict=False)
    return {term: whole[start:end] for term, start, end in pairs}


def _finish(packing: Packing, loaded: _Loaded, frequent: NDArray[np.int32]) -> bool:
    """Counts what was read, writes the rows of rare terms, and from now on searches read the new lists and find the
    documents; or nothing of it, where what was read is not there any more.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        hold_vocabulary()
        hold(Lock.COUNTS, packing.collection_id)
        cursor.execute(_LOADED.format(terms=""), [loaded.documents, packing.collection_id])
        unchanged = [chunk for (chunk,) in cursor.fetchall()] == loaded.chunks
        if not finish_packing(packing, done=unchanged):
            return False
        _write_rare_rows(packing.collection_id, loaded, frequent)
        _add_counts(packing.collection_id, loaded)
        cursor.execute(_READY, [loaded.documents])
    return True


def _write_rare_rows(collection_id: int, loaded: _Loaded, frequent: NDArray[np.int32]) -> None:
    rare = loaded.counted.taken(~np.isin(loaded.counted.terms, frequent))
    with uncounted():
        copy_postings(collection_id, rare)


def _add_counts(collection_id: int, loaded: _Loaded) -> None:
    starts = loaded.starts[:-1]
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS)
        copy_columns(
            "published",
            {
                "term_id": loaded.terms,
                "lemmas": _sums(loaded.counted.lemmas > 0, starts),
                "forms": _sums(loaded.counted.forms > 0, starts),
            },
        )
        cursor.execute(_ADD_TERMS, [collection_id])
        cursor.execute("DROP TABLE published")
        cursor.execute(_ADD_CHUNKS, [int(np.count_nonzero(loaded.lengths)), int(loaded.lengths.sum()), collection_id])


def _sums(marks: NDArray[np.bool_], starts: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int32]:
    return np.add.reduceat(marks, starts, dtype="i4") if len(marks) else np.empty(0, "i4")
