"""Sketches of documents and chunks in the index, and what is looked up by them."""

from collections.abc import Sequence

from django.db import connection

from ingestion.models import Chunk, ChunkSketch, Document, DocumentSketch, SimilarDocument
from ingestion.text.similarity import NEAR, Sketched, joined, similarity, sketch
from knowledgetree.postgres.copying import copy

_MOST = 20  # pairs of one document: of a form that was filled in a thousand times, some are enough
_CANDIDATES = 200  # compared, those with most bands in common

# By index: whoever shares a band. The array of bands is short, so counting the common ones costs little.
_LIKE_DOCUMENT = """
SELECT other.document_id, other.signature FROM ingestion_documentsketch own
JOIN ingestion_documentsketch other ON other.bands && own.bands AND other.document_id <> own.document_id
WHERE own.document_id = %s
ORDER BY (SELECT count(*) FROM unnest(other.bands) AS band WHERE band = ANY(own.bands)) DESC LIMIT %s
"""
_LIKE_CHUNK = """
SELECT other.chunk_id, other.signature FROM ingestion_chunksketch own
JOIN ingestion_chunksketch other ON other.bands && own.bands AND other.chunk_id <> own.chunk_id
WHERE own.chunk_id = %s
ORDER BY (SELECT count(*) FROM unnest(other.bands) AS band WHERE band = ANY(own.bands)) DESC LIMIT %s
"""


def write_sketches(documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
    """Sketches each chunk and the document that they are, in the transaction that writes the chunks."""
    drawn = [(document, _drawn(chunks)) for document, chunks in documents]
    _write_chunk_sketches([one for _, its in drawn for one in its])
    wholes = [(document.pk, joined([sketched for _, sketched in its])) for document, its in drawn]
    with copy("COPY ingestion_documentsketch (document_id, signature, bands) FROM STDIN") as rows:
        for document_id, whole in wholes:
            if whole:
                rows.write_row((document_id, whole.signature, _array(whole.bands)))


def remove_chunk_sketches(document: Document) -> None:
    ChunkSketch.objects.filter(chunk__document=document).delete()


def write_chunk_sketches(chunks: Sequence[Chunk]) -> None:
    """Writes the sketches of chunks that a document was split into anew; the document is still the one that it was."""
    _write_chunk_sketches(_drawn(chunks))


def rewrite_sketch(chunk: Chunk) -> None:
    """Writes the sketch of a chunk whose text has changed; the document is still the one that it was."""
    ChunkSketch.objects.filter(chunk=chunk).delete()
    _write_chunk_sketches(_drawn([chunk]))


def _drawn(chunks: Sequence[Chunk]) -> list[tuple[int, Sketched]]:
    return [(chunk.pk, sketched) for chunk in chunks if (sketched := sketch(chunk.text))]


def _write_chunk_sketches(sketches: Sequence[tuple[int, Sketched]]) -> None:
    """By COPY: there are as many as chunks. Half of the bands: they find 98 % of copies with one word in ten changed,
    and an index of all would take a third of what a chunk may take.
    """
    with copy("COPY ingestion_chunksketch (chunk_id, signature, bands) FROM STDIN") as rows:
        for chunk_id, drawn in sketches:
            rows.write_row((chunk_id, drawn.signature, _array(drawn.bands[::2])))


def _array(numbers: Sequence[int]) -> str:
    return f"{{{','.join(map(str, numbers))}}}"


def remove_sketches(document: Document) -> None:
    remove_chunk_sketches(document)
    DocumentSketch.objects.filter(document=document).delete()
    SimilarDocument.objects.filter(document=document).delete()
    SimilarDocument.objects.filter(other=document).delete()


def note_similar_documents(document: Document) -> int:
    """Note the near-duplicates of the document, at most 20; how many.

    Call it once its sketch is committed: of two documents written at the same time, the later one finds the other.
    """
    own = DocumentSketch.objects.filter(document=document).first()
    alike = _alike(_LIKE_DOCUMENT, document.pk, bytes(own.signature)) if own else []
    pairs = sorted(
        pair for other, found in alike for pair in ((document.pk, other, found), (other, document.pk, found))
    )  # in one order, so that two workers do not lock crosswise
    with connection.cursor() as cursor:  # a document may go meanwhile: then its pair is left out
        cursor.executemany(
            "INSERT INTO ingestion_similardocument (document_id, other_id, similarity) "
            "SELECT %s, held.id, %s FROM ingestion_document held WHERE held.id = %s "
            "AND EXISTS (SELECT FROM ingestion_document own WHERE own.id = %s FOR KEY SHARE) FOR KEY SHARE "
            "ON CONFLICT (document_id, other_id) DO UPDATE SET similarity = excluded.similarity",
            [(one, found, other, one) for one, other, found in pairs],
        )
    return len(alike)


def similar_chunks(chunk: Chunk) -> dict[int, float]:
    """The similarity of each chunk that says nearly the same, by key, the most alike first; at most 20."""
    own = ChunkSketch.objects.filter(chunk=chunk).first()
    return dict(_alike(_LIKE_CHUNK, chunk.pk, bytes(own.signature))) if own else {}


def _alike(query: str, key: int, signature: bytes) -> list[tuple[int, float]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [key, _CANDIDATES])
        measured = [(other, similarity(signature, bytes(found))) for other, found in cursor.fetchall()]
    near = [pair for pair in measured if pair[1] >= NEAR]
    return sorted(near, key=lambda pair: -pair[1])[:_MOST]
