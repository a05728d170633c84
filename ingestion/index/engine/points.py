"""Chunks as points: what PostgreSQL holds of them at this moment, in the shape in which Qdrant is told."""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from ingestion.index.postings import counted_words
from ingestion.models import EmbeddingSpace, EngineGeneration
from ingestion.text.index_format.points import (
    WORDS,
    LengthNorm,
    form_dimension,
    lemma_dimension,
    sentences_name,
    vector_name,
)
from ingestion.text.index_format.word_sequences import WordsInOrder
from knowledgetree.postgres.prepared_statements import Row, fetch

if TYPE_CHECKING:
    from qdrant_client.models import PointStruct

_CHUNKS = """
SELECT c.id, c.collection_id, c.document_id, d.media_type, d.language, d.category, d.tags, d.version, d.source_id,
       d.readership_id, d.valid_from, d.valid_to, extract(epoch FROM d.modified)::float8
FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id
WHERE c.id = ANY(%s) AND c.enabled AND d.status <> 'archived'
"""
_WORDS = "SELECT chunk_id, terms FROM ingestion_chunkwords WHERE chunk_id = ANY(%s)"
_VECTORS = """
SELECT chunk_id, space_id, array_agg(embedding::real[] ORDER BY part)
FROM ingestion_chunkembedding WHERE chunk_id = ANY(%s) AND space_id = ANY(%s)
GROUP BY chunk_id, space_id
"""
MARK = "mark"
"""In the payload: a checksum of the point, by which `verify` sees that the engine has what PostgreSQL has."""


def points_of(chunks: Sequence[int], generation: EngineGeneration) -> list["PointStruct"]:
    """The points of those of the chunks that are searched. A chunk that is gone or switched off has none."""
    from qdrant_client.models import PointStruct

    norm, with_sentences = LengthNorm.of(generation), _with_sentences(generation)
    words = {chunk: _words(chunk, terms) for chunk, terms in fetch(_WORDS, [list(chunks)])}
    vectors: dict[int, list[Row]] = defaultdict(list)
    for chunk, *rest in fetch(_VECTORS, [list(chunks), generation.spaces]):
        vectors[chunk].append(tuple(rest))
    points = []
    for row in fetch(_CHUNKS, [list(chunks)]):
        vector = _words_vector(words.get(row[0]), norm) | _dense(vectors[row[0]], with_sentences)
        payload = _payload(row)
        payload[MARK] = _mark(words.get(row[0]), vectors[row[0]], payload)
        points.append(PointStruct.model_construct(id=row[0], vector=vector, payload=payload))  # our own: not checked
    return points


def marks_of(chunks: Sequence[int], generation: EngineGeneration) -> dict[int, Any]:
    """By chunk, the mark of its point."""
    return {int(str(point.id)): (point.payload or {})[MARK] for point in points_of(chunks, generation)}


def _with_sentences(generation: EngineGeneration) -> set[int]:
    spaces = EmbeddingSpace.objects.filter(pk__in=generation.spaces, sentence_vectors=True)
    return set(spaces.values_list("pk", flat=True))


def _words(chunk: int, terms: bytes) -> Row:
    """Terms, how often they stand in the chunk as lemma and as form, and its length."""
    in_order = WordsInOrder.unpacked(terms)
    counted = counted_words([chunk], [in_order])
    columns = (column.tolist() for column in (counted.terms, counted.lemmas, counted.forms))
    return (*columns, len(in_order.forms))


def _words_vector(row: Row | None, norm: LengthNorm) -> dict[str, Any]:
    from qdrant_client.models import SparseVector

    if row is None:
        return {}
    terms, lemmas, forms, length = row
    indices, weights = [], []
    for counts, dimension in ((lemmas, lemma_dimension), (forms, form_dimension)):
        weighed = norm.weights(np.asarray(counts, np.int64), length).tolist()
        indices += [dimension(term) for term, count in zip(terms, counts, strict=True) if count]
        weights += [weight for weight in weighed if weight]
    return {WORDS: SparseVector.model_construct(indices=indices, values=weights)}


def _dense(rows: Iterable[Row], with_sentences: set[int]) -> dict[str, Any]:
    vectors: dict[str, Any] = {}
    for space, parts in rows:
        vectors[vector_name(space)] = parts[0]
        if space in with_sentences:
            vectors[sentences_name(space)] = parts
    return vectors


def _payload(row: Row) -> dict[str, Any]:
    """What filters and rights ask of documents. An open end of validity is the first or the last day there is.

    None of it keeps anybody out, it only saves proposals: PostgreSQL checks every hit.
    """
    _, collection, document, media_type, language, category, tags, version, source, readers, *days = row
    valid_from, valid_to, modified = days
    return {
        "collection": str(collection),  # Qdrant wants a word of what it keeps together
        "document": document,
        "media_type": media_type,
        "language": language,
        "category": category,
        "tags": list(tags),
        "version": version,
        "source": source,
        "readership": readers or 0,  # 0: whoever may read the collection
        "valid_from": (valid_from or date.min).toordinal(),
        "valid_to": (valid_to or date.max).toordinal(),
        "modified": modified,
    }


def _mark(words: Row | None, vectors: Sequence[Row], payload: dict[str, Any]) -> int:
    mark = zlib.crc32(repr(sorted(payload.items())).encode())
    if words is not None:
        *columns, length = words
        rows = sorted(zip(*columns, strict=True))
        mark = zlib.crc32(np.asarray([length, *(number for row in rows for number in row)], "<i8").tobytes(), mark)
    for space, parts in sorted(vectors, key=lambda row: row[0]):
        mark = zlib.crc32(np.asarray(parts, "<f4").tobytes(), zlib.crc32(str(space).encode(), mark))
    return mark
