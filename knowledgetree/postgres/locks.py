"""PostgreSQL's advisory locks: every number that the product takes, and the three ways to take one."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum, unique

from django.db import connection


@unique
class Lock(IntEnum):
    """What each number guards. With a key, as of a collection, it guards that one alone.

    Purposes that must exclude each other share a number: of COUNTS, the writers of postings, the writers of names, and
    whoever begins to pack postings. Triggers take it too (`ingestion_count_postings`, `ingestion_count_mentions`), so
    its number stands in the SQL of migrations as well, and must not change.
    """

    COUNTS = 7201
    """Of a collection: how often words and names stand in it."""
    VOCABULARY = 7202
    """Writers of postings hold it together, an erasure alone."""
    SPACE_INDEX = 7203
    """Of an embedding space: the building of its HNSW index."""
    COMMUNITIES = 7204
    """Of a collection: its groups of documents."""
    PACKING = 7205
    """Of a collection: the packing of its postings."""
    ORIGINAL = 7206
    """Of a checksum: the stored file."""
    SPACES = 7207
    """Writers of vectors hold it together; who makes, activates, retires or drops a space holds it alone."""
    RECHUNKINGS = 7208
    """The start of a change of chunking, and its turning round."""
    THESAURUS = 7209
    """The import of a thesaurus: two at once would both stay."""
    GAPS = 7210
    """The intake of unanswered questions."""
    LEXICON = 7211
    """The loading of the lexicon's packs."""
    WORD_PROPOSALS = 7212
    """The looking for words that readers use and documents do not."""
    LEARNING = 7213
    """The fitting of relevance on marks and thumbs."""
    CONFLICTS = 7214
    """The comparing of documents' statements with each other."""
    BACKUP = 7215
    """The making of a backup and the deletion of old ones: what one keeps the other would delete."""
    LETTERS = 7216
    """The writing of letters: two at once would both tell the same."""
    OPTIMIZATION = 7217
    """Of a search for better settings: whoever searches. Its copies on trial are no leftovers meanwhile."""
    ENGINE = 7220
    """Of a generation of the search engine: telling it. Of two at once, the one with older news could come last."""


def hold(lock: Lock, key: int = 0, *, shared: bool = False) -> None:
    """Wait for the lock and keep it until the transaction ends. `shared`: together with others who say so."""
    _ask("pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock", lock, key)


def hold_all(lock: Lock, keys: Iterable[int]) -> None:
    """Wait for the locks of all `keys`, in one order, and keep them until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, key) FROM unnest(%s::int[]) AS key", [int(lock), sorted(keys)])


def try_to_hold(lock: Lock, key: int = 0) -> bool:
    """Keep the lock until the transaction ends; False where somebody else has it."""
    return _ask("pg_try_advisory_xact_lock", lock, key)


@contextmanager
def held_over_transactions(lock: Lock, key: int = 0) -> Iterator[bool]:
    """Whether the lock is ours while the body runs, whatever transactions it begins and ends. Asked, not waited for:
    whoever waits holds a snapshot. A pooler of transactions does not keep it (`knowledgetree.database.is_pooled`).
    """
    held = _ask("pg_try_advisory_lock", lock, key)
    try:
        yield held
    finally:
        if held:
            _ask("pg_advisory_unlock", lock, key)


def _ask(function: str, lock: Lock, key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", [int(lock), key])
        return bool(cursor.fetchone()[0])
