"""Contradictions between documents as somebody may see them: those of which they may read both sides today."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ingestion.library.privacy import as_seen_by
from ingestion.models import DocumentVersion
from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections, visible_documents
from ingestion.selectors.clearance import clearance_of
from rag.models import ComparedStatement, Conflict
from rag.search.links import passage_url
from rag.search.masking import covered
from rag.search.retrieval.passages import load_passages
from rag.types import Explanation, Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStatement:
    """What a document says, as its viewer may see it: the sentence, whose characters [value_from, value_to) differ, and
    what stands `before` and `after` it in the passage. `url` opens it, `dated` is when the document came into force,
    else when it was changed last.
    """

    number: int
    document: int
    title: str
    collection: str
    headings: tuple[str, ...]
    before: str
    text: str
    after: str
    value_from: int
    value_to: int
    page: int | None
    dated: date | None
    url: str

    @property
    def parts(self) -> tuple[str, str, str]:
        """The sentence before the value, the value, and what follows."""
        return self.text[: self.value_from], self.value, self.text[self.value_to :]

    @property
    def value(self) -> str:
        return self.text[self.value_from : self.value_to]


def visible_conflicts(viewer: Viewer) -> QuerySet[Conflict]:
    """Those of which `viewer` may read both statements today; of any decision."""
    seen = visible_documents(viewer).readable().valid_on(timezone.localdate())
    return Conflict.objects.filter(
        first__document__in=seen, second__document__in=seen, first__chunk__enabled=True, second__chunk__enabled=True
    )


def conflicts_of_owner(viewer: Viewer) -> QuerySet[Conflict]:
    """Those that wait for a decision and concern a document whose present content `viewer` brought: nobody else is told
    of a document as its owner.
    """
    newer = DocumentVersion.objects.filter(document=OuterRef("document"), number__gt=OuterRef("number"))
    own = DocumentVersion.objects.filter(~Exists(newer), author=viewer.pk).values("document")
    waiting = visible_conflicts(viewer).filter(decision=Conflict.Decision.OPEN)
    return waiting.filter(Q(first__document__in=own) | Q(second__document__in=own))


def shown_statements(conflicts: Iterable[Conflict], viewer: Viewer) -> dict[int, ShownStatement]:
    """The statements of `visible_conflicts` of the same viewer, by number. What is covered for them is covered here."""
    spans: dict[int, tuple[int, int]] = {}
    for conflict in conflicts:
        spans.setdefault(conflict.second_id, (conflict.second_from, conflict.second_to))
        spans.setdefault(conflict.first_id, (conflict.first_from, conflict.first_to))
    rows = ComparedStatement.objects.filter(pk__in=spans)
    passages = _passages({row.chunk_id for row in rows if row.chunk_id}, viewer)
    return {row.pk: _shown(row, passages[row.chunk_id], *spans[row.pk]) for row in rows if row.chunk_id in passages}


def _passages(chunks: Iterable[int], viewer: Viewer) -> dict[int, Passage]:
    collections = as_seen_by(viewer, visible_collections(viewer))
    keys = [collection.pk for collection in collections]
    clearance = clearance_of(viewer, within=keys)
    found, _ = load_passages({chunk: Explanation() for chunk in sorted(chunks)}, keys, clearance=clearance)
    return {passage.chunk_id: passage for passage in covered(found, collections)}


def _shown(row: ComparedStatement, passage: Passage, value_from: int, value_to: int) -> ShownStatement:
    return ShownStatement(
        number=row.pk,
        document=passage.document_id,
        title=passage.title,
        collection=passage.collection,
        headings=passage.heading_path,
        before=passage.text[: row.start].strip(),
        text=passage.text[row.start : row.end],
        after=passage.text[row.end :].strip(),
        value_from=value_from,
        value_to=value_to,
        page=passage.page_start,
        dated=passage.dated,
        url=passage_url(passage.document_id, passage.start, passage.end, passage.text),
    )
