"""The words of the index, against erasures: no word of an erased document is left, and none that is needed goes.

A writer looks up the keys of its words before its transaction (see `ingestion.index.terms.enter_terms`). An erasure
deletes the words that no text has any more, which may be among them. So writers hold the vocabulary together, an
erasure alone, and a writer whose keys are older than the last erasure looks them up again.
"""

import numpy as np
from django.db import connection

from ingestion.text.index_format.word_sequences import WordsInOrder
from knowledgetree.postgres.locks import Lock, hold


def last_erasure() -> int:
    """The number of the last committed erasure; 0 before the first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(id), 0) FROM ingestion_erasure")
        return int(cursor.fetchone()[0])


def hold_vocabulary() -> int:
    """Until the end of the transaction nothing is erased. The number of the last erasure before."""
    hold(Lock.VOCABULARY, shared=True)
    return last_erasure()


def hold_vocabulary_alone() -> None:
    """Until the end of the transaction nobody writes postings. Take it before any other lock."""
    hold(Lock.VOCABULARY)


def forget_unused_words() -> int:
    """Delete the words that stand in no chunk; how many. Only while the vocabulary is held alone."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ingestion_termstatistics WHERE lemma_chunks <= 0 AND form_chunks <= 0")
        cursor.execute(
            "DELETE FROM ingestion_term t WHERE t.id <> ALL(%s) AND NOT EXISTS "
            "(SELECT FROM ingestion_termstatistics s WHERE s.term_id = t.id)",
            [_loaded_terms()],
        )
        return int(cursor.rowcount)


def _loaded_terms() -> list[int]:
    """The terms of loaded documents, whose words are not counted yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT w.terms FROM ingestion_loadeddocument l JOIN ingestion_chunk c USING (document_id) "
            "JOIN ingestion_chunkwords w ON w.chunk_id = c.id"
        )
        words = [WordsInOrder.unpacked(packed) for (packed,) in cursor.fetchall()]
    terms = [np.unique(np.concatenate([one.forms, one.lemmas])) for one in words]
    return np.unique(np.concatenate(terms)).tolist() if terms else []


def forget_unused_names(collection_id: int) -> int:
    """Delete the names in the graph that no chunk mentions; how many. Writers of names hold the same lock."""
    hold(Lock.COUNTS, collection_id)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ingestion_entity WHERE collection_id = %s AND chunks <= 0", [collection_id])
        return int(cursor.rowcount)
