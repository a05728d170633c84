"""Documents as their viewer may see them. Pages show these, never the rows, so none can forget to cover anything."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from ingestion.library.pictures import has_pictures
from ingestion.library.privacy import is_masked, masked_collections
from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_document
from ingestion.text.personal_data.masking import masked
from rag.selectors.facts import DocumentFact, facts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDocument:
    """`covers`: personal data are covered for this viewer, in every text of it."""

    pk: int
    collection: Collection
    title: str
    category: str
    tags: tuple[str, ...]
    version: str
    language: str
    valid_from: date | None
    valid_to: date | None
    in_force: bool
    modified: datetime
    covers: bool
    _row: Document = field(repr=False)

    @property
    def original(self) -> Document | None:
        """The row with its file, in which nothing can be covered: None for whom personal data are."""
        return None if self.covers else self._row

    @property
    def is_pdf(self) -> bool:
        """Its original is a PDF that this viewer may have."""
        return self.original is not None and has_pictures(self.original)

    def facts(self, *, pages: int) -> list[DocumentFact]:
        """What is known of it beside its text, which has so many `pages`."""
        return facts_of(self._row, pages=pages, covers=self.covers)


def shown_document(viewer: Viewer, pk: int) -> ShownDocument:
    """Raises Document.DoesNotExist alike for a document that is not there and one that is not for this viewer."""
    row = readable_document(viewer, pk)
    return _shown(row, covers=is_masked(row.collection, viewer))


def shown_documents(viewer: Viewer, rows: Iterable[Document]) -> list[ShownDocument]:
    """`rows`, which `viewer` may read, in their order. Costs a query at most where a collection asks for masking."""
    rows = list(rows)
    masks = any(row.collection.mask_personal_data for row in rows)
    covered = set(masked_collections(viewer).values_list("pk", flat=True)) if masks else set()
    return [_shown(row, covers=row.collection_id in covered) for row in rows]


def _shown(row: Document, *, covers: bool) -> ShownDocument:
    def told(text: str) -> str:
        return masked(text) if covers else text

    return ShownDocument(
        pk=row.pk,
        collection=row.collection,
        title=told(row.title),
        category=told(row.category),
        tags=tuple(told(tag) for tag in row.tags),
        version=row.version,
        language=row.language,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        in_force=row.in_force,
        modified=row.modified,
        covers=covers,
        _row=row,
    )
