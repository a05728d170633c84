"""What documents state: which of them changed since they were compared, and the sentences of these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import connection

from ingestion.selectors.clearance import Clearance
from rag.answering.verification.cleared import digest_of
from rag.answering.verification.disagreement import is_compared
from rag.answering.verification.overlap import CitedSource
from rag.answering.verification.subjects import SentenceInContext, said_in
from rag.insight.conflicts.candidates import keys_of_statement
from rag.search.retrieval.filters import named
from rag.search.retrieval.groups import searched_today
from rag.search.retrieval.passages import load_passages
from rag.types import Explanation, Passage

EVERYTHING = Clearance(everything=True)
_VERSION = "2"  # of what is compared and how: with another one, every document is read anew

# Reads every text once, which at a million chunks takes seconds; nothing else tells that an editor changed a chunk.
_CHANGED = """
SELECT now.id, now.digest FROM (
    SELECT d.id, md5(%(version)s || d.title || string_agg(md5(c.heading_path::text || c.text), '' ORDER BY c.id))
        AS digest
    FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id
    WHERE {condition} GROUP BY d.id
) now
LEFT JOIN rag_compareddocument done ON done.document_id = now.id
WHERE done.digest IS DISTINCT FROM now.digest ORDER BY now.id
"""
_CHUNKS = """
SELECT c.id, c.collection_id FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id
WHERE d.id = ANY(%(documents)s) AND c.kind <> 'code' AND {condition} ORDER BY c.id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementPlace:
    """A sentence in context, where in its chunk it stands, and the keys by which it is found."""

    said: SentenceInContext
    start: int
    keys: Sequence[int]

    @property
    def end(self) -> int:
        return self.start + len(self.said.sentence.text)

    @property
    def digest(self) -> str:
        return digest_of(self.said.sentence.text)


def changed_documents() -> list[tuple[int, str]]:
    """The documents in force that were not compared as they are now, with the digest of what they say."""
    sql, parameters = named(searched_today(EVERYTHING))
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED.format(condition=sql), {"version": _VERSION} | parameters)
        return [(document, digest) for document, digest in cursor.fetchall()]


def passages_of(documents: Sequence[int]) -> list[Passage]:
    """All that is searched in these documents, whoever may read it."""
    sql, parameters = named(searched_today(EVERYTHING))
    with connection.cursor() as cursor:
        cursor.execute(_CHUNKS.format(condition=sql), {"documents": list(documents)} | parameters)
        rows = cursor.fetchall()
    return load(dict(rows))


def load(chunks: dict[int, int]) -> list[Passage]:
    """The passages of chunks, by their key that of their collection."""
    wanted = {chunk: Explanation() for chunk in chunks}
    return load_passages(wanted, sorted(set(chunks.values())), clearance=EVERYTHING)[0]


def statements_of(passage: Passage) -> Iterator[StatementPlace]:
    """Its sentences that can be compared, in their order."""
    for start, said in sentences_of(passage):
        if is_compared(said.sentence.text) and (keys := keys_of_statement(said)):
            yield StatementPlace(said=said, start=start, keys=keys)


def sentences_of(passage: Passage) -> Iterator[tuple[int, SentenceInContext]]:
    """Its sentences, each with the character of its text where it begins."""
    source = CitedSource(passage.text, "\n".join(dict.fromkeys([passage.title, *passage.heading_path])))
    place = 0
    for said in said_in(passage, source):
        place = passage.text.index(said.sentence.text, place)
        yield place, said
