"""Which personal data a viewer must not see, and texts as they may see them.

Where exact places are stored they are used, because a chunk may begin after the word that says what a number is; other
texts (titles, headings, edited chunks) are searched when they are shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import QuerySet

from ingestion.models import Chunk, Collection, Extraction
from ingestion.models.viewers import Viewer, sees_personal_data
from ingestion.text.personal_data.masking import masked

# A passage may reach farther than its chunk, and the sentences around it farther than the passage.
_REACH = 2000
_AROUND = """
SELECT shown.number, p.start - shown.start, p."end" - shown.start, substr(e.text, p.start + 1, p."end" - p.start)
FROM unnest(%(chunks)s::int[], %(starts)s::int[], %(ends)s::int[]) WITH ORDINALITY AS shown(chunk, start, "end", number)
JOIN ingestion_chunk c ON c.id = shown.chunk
JOIN ingestion_extraction e ON e.id = c.extraction_id
JOIN ingestion_personaldata p ON p.extraction_id = e.id
    AND p.start < shown."end" + %(reach)s AND p."end" > shown.start - %(reach)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownData:
    """Personal data in and around a passage: `spans` are characters counted from its start, which only hold while its
    text is the document's own; `values` what the document says there.
    """

    spans: list[tuple[int, int]] = field(default_factory=list)
    values: list[str] = field(default_factory=list)


def masked_collections(viewer: Viewer) -> QuerySet[Collection]:
    """The collections whose personal data are covered for `viewer`: those that ask for it, without the permission."""
    masking = Collection.objects.filter(mask_personal_data=True)
    return masking.none() if sees_personal_data(viewer) else masking


def as_seen_by(viewer: Viewer, collections: Iterable[Collection]) -> list[Collection]:
    """The collections, `mask_personal_data` of each saying whether they are covered for this very viewer.

    In memory only: never save them. Whoever gets a collection from elsewhere sees no more than the least reader.
    """
    seen = list(collections)
    for collection in seen:
        if collection.masks_for_some is None:
            collection.masks_for_some = collection.mask_personal_data
    if any(collection.mask_personal_data for collection in seen):
        covered = set(masked_collections(viewer).values_list("pk", flat=True))
        for collection in seen:
            collection.mask_personal_data = collection.pk in covered
    return seen


def is_masked(collection: Collection, viewer: Viewer) -> bool:
    """Costs a query at most where the collection asks for masking."""
    return collection.mask_personal_data and masked_collections(viewer).filter(pk=collection.pk).exists()


def masked_extraction(extraction: Extraction) -> str:
    """The extracted text, as long as it is, with all personal data covered."""
    return masked(extraction.text, extraction.personal_data.values_list("start", "end"))


def masked_chunk(chunk: Chunk) -> str:
    """Its text, an editor's perhaps, with all personal data covered: as those see it in a passage who may not see them.

    Where an editor changed its length the places that are stored do not fit it; then the values do.
    """
    known = known_data([(chunk.pk, chunk.start, chunk.end)])[0]
    is_exact = len(chunk.text) == chunk.end - chunk.start
    return masked(chunk.text, known.spans if is_exact else (), known.values)


def known_data(places: Sequence[tuple[int, int, int]]) -> list[KnownData]:
    """The known data of each (chunk, start, end). One query."""
    known = [KnownData() for _ in places]
    chunks, starts, ends = (list(column) for column in zip(*places, strict=True)) if places else ([], [], [])
    with connection.cursor() as cursor:
        cursor.execute(_AROUND, {"chunks": chunks, "starts": starts, "ends": ends, "reach": _REACH})
        for number, start, end, value in cursor.fetchall():
            known[number - 1].spans.append((start, end))
            known[number - 1].values.append(value)
    return known
