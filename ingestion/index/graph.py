"""Writing the graph of names, in the transaction that writes the chunks."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection

from ingestion.text.names.entities import glossary_ruler
from ingestion.text.names.mention import Named
from ingestion.text.names.name_words import WORD, name_words
from ingestion.text.names.recognition import Recogniser
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.copying import copy
from knowledgetree.postgres.locks import Lock, hold

if TYPE_CHECKING:  # spaCy is loaded where it is used
    from spacy.language import Language

NAMES_VERSION = 1
"""Raised where names are recognised otherwise: a worker then reads again what was indexed before."""

_MAX_COUNT = 32_767  # smallint
_KNOWN = "SELECT key, id, name FROM ingestion_entity WHERE collection_id = %s AND key = ANY(%s)"
_NEW = """
INSERT INTO ingestion_entity (collection_id, key, name, kind, chunks)
SELECT %s, key, name, kind, 0 FROM unnest(%s::text[], %s::text[], %s::text[]) AS new(key, name, kind)
RETURNING key, id
"""
_RENAME = (
    "UPDATE ingestion_entity e SET name = n.name FROM unnest(%s::int[], %s::text[]) AS n(id, name) WHERE n.id = e.id"
)


def recogniser() -> Recogniser:
    """By the glossary as it stands and the spaCy model that the settings name. One small query."""
    return Recogniser(glossary_ruler(), _model(rag_settings().ingestion.entity_model))


def write_mentions(collection_id: int, chunks: Sequence[tuple[int, Sequence[Named]]]) -> None:
    """Write what chunks, by their key, name, beside what is there.

    The collection's lock, which the postings' trigger takes too, keeps writers from locking names crosswise.
    """
    hold(Lock.COUNTS, collection_id)
    ids = _enter_entities(collection_id, [named for _, names in chunks for named in names])
    with copy("COPY ingestion_entitymention (entity_id, chunk_id, count) FROM STDIN") as rows:
        for chunk, names in chunks:
            for key, count in Counter(named.key for named in names).items():
                rows.write_row((ids[key], chunk, min(count, _MAX_COUNT)))


def remove_mentions(chunk_ids: Sequence[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ingestion_entitymention WHERE chunk_id = ANY(%s)", [list(chunk_ids)])


def _enter_entities(collection_id: int, names: Sequence[Named]) -> dict[str, int]:
    """Enter what is new, rename where a text has a better form of the name; the key of each entity's row."""
    best: dict[str, Named] = {}
    for named in names:
        if named.key not in best or _nominative_words(named.name) > _nominative_words(best[named.key].name):
            best[named.key] = named
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [collection_id, list(best)])
        known = {key: (row, name) for key, row, name in cursor.fetchall()}
        new = [best[key] for key in best.keys() - known.keys()]
        columns = ([named.key for named in new], [named.name[:300] for named in new], [named.kind for named in new])
        cursor.execute(_NEW, [collection_id, *columns])
        made = dict(cursor.fetchall())
        better = {
            row: best[key].name
            for key, (row, name) in known.items()
            if name != best[key].name and _nominative_words(best[key].name) > _nominative_words(name)
        }
        cursor.execute(_RENAME, [list(better), list(better.values())])
    return {key: row for key, (row, _) in known.items()} | made


@lru_cache(maxsize=50_000)
def _nominative_words(name: str) -> int:
    """How many words are their own base form: most in "Urząd Miasta" among its inflections."""
    return sum(name_words().key(word) == word.lower() for word in WORD.findall(name))


@lru_cache(maxsize=2)
def _model(name: str) -> "Language | None":
    if not name:
        return None
    from ingestion.text.names.pipeline import polish

    return polish(name)
