"""Documents and their chunks as their viewer may see them. The API gives out these, never the rows.

So nothing that should be covered is forgotten, and nothing that is covered can be saved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from typing import Any

from django.db.models import Model, Q

from ingestion.library.document_readers import NamedReaders, named_readers
from ingestion.library.privacy import is_masked, known_data, masked_collections
from ingestion.library.validity.proposals import ShownValidity, shown_proposals
from ingestion.models import Chunk, Collection, Document
from ingestion.models.documents import DocumentQuerySet
from ingestion.models.viewers import Viewer, is_editor
from ingestion.selectors import open_documents
from ingestion.text.personal_data.masking import masked, masked_address, masked_values

_TEXTS = ("title", "file_name", "category", "tags", "metadata", "edited", "warnings")
_CONDITIONS: dict[str, Callable[[Any], Q]] = {
    "collection": lambda slug: Q(collection__slug=slug),
    "status": lambda status: Q(status=status),
    "tag": lambda tag: Q(tags__contains=[tag]),
    "category": lambda category: Q(category=category),
    "warnings": lambda warned: ~Q(warnings=[]) if warned else Q(warnings=[]),
    "search": lambda text: Q(title__icontains=text) | Q(uri__icontains=text),
}
_FOR_EDITORS = ("readers", "proposed_validity")
_SHOWN_COVERED = ("tag", "category", "search")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDocument:
    """The fields of the row that are for viewers, under their names; texts and `uri` are covered where they must be.
    `readers` and `proposed_validity` are told to editors alone.
    """

    id: int
    collection: Collection
    title: str
    uri: str
    file_name: str
    media_type: str
    size: int
    checksum: str
    language: str
    category: str
    tags: list[str]
    version: str
    valid_from: date | None
    valid_to: date | None
    in_force: bool
    metadata: dict[str, Any]
    edited: list[str]
    status: str
    error_code: str
    error_message: str
    warnings: list[Any]
    chunk_count: int
    created: datetime
    modified: datetime
    indexed: datetime | None
    restricted: bool
    readers: NamedReaders | None = None
    proposed_validity: Sequence[ShownValidity] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenChunk:
    """Characters [start, end) of the extracted text; lines and pages count from 1, both ends inclusive."""

    id: int
    ordinal: int
    kind: str
    text: str
    start: int
    end: int
    line_start: int
    line_end: int
    page_start: int | None
    page_end: int | None
    heading_path: list[str]
    context_before: str
    context_after: str
    enabled: bool


def seen_documents(viewer: Viewer, rows: Iterable[Document]) -> list[SeenDocument]:
    """`rows`, which `viewer` may open, in their order. One query, for editors two; three more where any
    is `restricted`.
    """
    rows = list(rows)
    covered = set(masked_collections(viewer).values_list("pk", flat=True))
    edits = is_editor(viewer, "ingestion.view_document")
    readers = named_readers(rows) if edits else {}
    proposals = shown_proposals(viewer, [row.pk for row in rows]) if edits else {}
    seen = (_seen_document(row, covers=row.collection_id in covered) for row in rows)
    return [replace(one, readers=readers.get(one.id), proposed_validity=proposals.get(one.id, ())) for one in seen]


def seen_chunks(viewer: Viewer, document: Document, rows: Iterable[Chunk]) -> list[SeenChunk]:
    """`rows` of `document`, which `viewer` may open, in their order. At most two queries."""
    rows = list(rows)
    if not is_masked(document.collection, viewer):
        return [SeenChunk(**_values(SeenChunk, row)) for row in rows]
    known = known_data([(row.pk, row.start, row.end) for row in rows])
    return [_covered_chunk(row, data.values) for row, data in zip(rows, known, strict=True)]


def fitting_documents(viewer: Viewer, filters: Mapping[str, Any]) -> DocumentQuerySet:
    """The documents that `viewer` can open, narrowed by `filters`; each must hold of what the viewer sees of them.

    The names of the filters are "collection", "status", "tag", "category", "warnings" and "search".
    """
    documents = open_documents(viewer)
    for name, value in filters.items():
        documents = documents.filter(_CONDITIONS[name](value))
    texts = {name: filters[name] for name in _SHOWN_COVERED if name in filters}
    if texts and (covered := list(masked_collections(viewer).values_list("pk", flat=True))):
        seen = seen_documents(viewer, documents.filter(collection__in=covered))
        fitting = [document.id for document in seen if _shows(document, texts)]
        documents = documents.filter(~Q(collection__in=covered) | Q(pk__in=fitting))
    return documents


def _seen_document(row: Document, *, covers: bool) -> SeenDocument:
    values = _values(SeenDocument, row)
    if covers:
        values |= {name: masked_values(values[name]) for name in _TEXTS} | {"uri": masked_address(row.uri)}
    return SeenDocument(**values)


def _covered_chunk(row: Chunk, known: Iterable[str]) -> SeenChunk:
    values = masked_values(_values(SeenChunk, row))
    exact = {name: masked(getattr(row, name), values=known) for name in ("text", "context_before", "context_after")}
    return SeenChunk(**values | exact)


def _values(kind: type[SeenDocument | SeenChunk], row: Model) -> dict[str, Any]:
    return {field.name: getattr(row, field.name) for field in fields(kind) if field.name not in _FOR_EDITORS}


def _shows(document: SeenDocument, texts: Mapping[str, str]) -> bool:
    """Whether `document` meets these filters as it is seen."""
    sought = texts.get("search", "").casefold()
    return (
        texts.get("tag", "") in ["", *document.tags]
        and texts.get("category", "") in ["", document.category]
        and any(sought in text.casefold() for text in (document.title, document.uri))
    )
