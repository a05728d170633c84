"""Pairs of statements that share a key, found in SQL; and the sentences behind their numbers."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from itertools import combinations

from django.db import connection

from rag.answering.verification.subjects import SentenceInContext
from rag.insight.conflicts.reading import StatementPlace, load, sentences_of

_COMMON = 60
"""Statements that share a key: of more, it is the phrase of a form or of a kind of law, and tells nothing."""
_KEPT = 4000  # sentences in memory, some kilobytes each

# One look into the index for each key, however many statements of the batch have it.
_SHARING = """
SELECT array_agg(s.id), array_agg(s.document_id) FROM unnest(%s::int[]) AS wanted(key)
JOIN rag_comparedstatement s ON s.keys @> ARRAY[wanted.key] AND s.chunk_id IS NOT NULL
GROUP BY wanted.key HAVING count(*) BETWEEN 2 AND %s
"""
_PLACES = """
SELECT s.id, s.chunk_id, s.start, c.collection_id FROM rag_comparedstatement s
JOIN ingestion_chunk c ON c.id = s.chunk_id WHERE s.id = ANY(%s)
"""


def candidate_pairs(numbers: Mapping[int, StatementPlace]) -> list[tuple[int, int]]:
    """Pairs of different documents, each with one of `numbers` at least, the lower number first."""
    keys = sorted({key for place in numbers.values() for key in place.keys})
    with connection.cursor() as cursor:
        cursor.execute(_SHARING, [keys, _COMMON])
        rows = cursor.fetchall()
    return sorted(
        {
            (one, other) if one < other else (other, one)
            for statements, documents in rows
            for (one, its), (other, another) in combinations(zip(statements, documents, strict=True), 2)
            if its != another and (one in numbers or other in numbers)
        }
    )


class KnownStatements:
    """The sentences of statements by number, the last used of them in memory."""

    def __init__(self) -> None:
        self._said: OrderedDict[int, SentenceInContext] = OrderedDict()

    def add(self, numbers: Mapping[int, StatementPlace]) -> None:
        self._said.update({number: place.said for number, place in numbers.items()})

    def get(self, number: int) -> SentenceInContext | None:
        """None where the chunk is gone by now."""
        return self._said.get(number)

    def load(self, numbers: Iterable[int]) -> None:
        """Have all of these at hand."""
        wanted = dict.fromkeys(numbers)
        for number in wanted.keys() & self._said.keys():
            self._said.move_to_end(number)
        self._read([number for number in wanted if number not in self._said])
        while len(self._said) > max(_KEPT, len(wanted)):
            self._said.popitem(last=False)

    def _read(self, numbers: list[int]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_PLACES, [numbers])
            rows = cursor.fetchall()
        at = {(chunk, start): number for number, chunk, start, _ in rows}
        for passage in load({chunk: collection for _, chunk, _, collection in rows}):
            for start, said in sentences_of(passage):
                if number := at.get((passage.chunk_id, start)):
                    self._said[number] = said
