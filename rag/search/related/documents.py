"""Documents beside an answer: they share telling names with what it cites, or say something near to it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from django.db import connection

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors import active_space
from ingestion.text.personal_data.masking import masked
from ingestion.text.similarity import NEAR, similarity
from rag.question import Question
from rag.search.links import document_url
from rag.search.related.nearness import near_documents
from rag.search.related.sharing import Sharing, sharing_names
from rag.search.retrieval.filters import Condition, condition
from rag.search.retrieval.lexical import corpus_statistics
from rag.types import Citation, RelatedDocument

_CANDIDATES = 5  # times as many as are wanted: some will be copies of each other
_NAMES_SHOWN = 3
_NEAR = 0.5  # nearer to the passages than to the background

_LOAD = """
SELECT d.id, d.title, d.collection_id, s.signature FROM ingestion_document d
LEFT JOIN ingestion_documentsketch s ON s.document_id = d.id
WHERE d.id = ANY(%(documents)s)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """`near`: how near the nearest of its chunks is to the cited ones, in [0, 1]."""

    document_id: int
    sharing: Sharing = field(default_factory=Sharing)
    near: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    title: str
    collection_id: int
    signature: bytes


def related_documents(
    question: Question, citations: Iterable[Citation], *, most: int, space: EmbeddingSpace | None = None
) -> tuple[RelatedDocument, ...]:
    """At most `most` documents that the answer does not cite, the most related first.

    Only documents that a search for `question` could have found: in its collections, which the viewer may read, passing
    its filters, in force. None that says nearly the same as a cited one or as another of them. `space`: the active one
    where None.
    """
    cited = [citation for citation in citations if citation.origin == "document"]
    if not (most and cited):
        return ()
    documents = sorted({citation.document_id for citation in cited})
    chunks = sorted({citation.chunk_id for citation in cited})
    where, space = _uncited(question, documents), space or active_space()
    collections = {collection.pk: collection for collection in question.collections}
    keys, statistics = list(collections), corpus_statistics(list(collections))
    shared = sharing_names(chunks, collection_ids=keys, condition=where, statistics=statistics)
    near = (
        near_documents(chunks, space=space, collection_ids=keys, condition=where, statistics=statistics)
        if space
        else {}
    )
    best = _ranked(shared, near, _weight_of_nearness(space))[: most * _CANDIDATES]
    return tuple(islice(_without_copies(best, documents, collections), most))


def _uncited(question: Question, documents: Sequence[int]) -> Condition:
    """What a search would find, without what is cited; never what is no longer in force."""
    searched = condition(replace(question.filters, include_expired=False), clearance=question.clearance)
    return replace(
        searched, sql=f"{searched.sql} AND d.id <> ALL(%s)", parameters=[*searched.parameters, list(documents)]
    )


def _weight_of_nearness(space: EmbeddingSpace | None) -> float:
    """The space says how far its vectors are to be trusted."""
    return float(space.fusion.get("dense_weight", 0.5)) if space else 0.0


def _ranked(shared: Mapping[int, Sharing], near: Mapping[int, float], weight: float) -> list[_Candidate]:
    """What is worth showing, the best first. Who shares no name must be nearer to what is cited than to the rest."""
    candidates = [
        _Candidate(document_id=key, sharing=shared.get(key, Sharing()), near=near.get(key, 0.0))
        for key in shared.keys() | {key for key, share in near.items() if share > _NEAR}
    ]
    most = max((one.sharing.weight for one in candidates), default=0.0) or 1.0
    worth = {one.document_id: (1 - weight) * one.sharing.weight / most + weight * one.near for one in candidates}
    return sorted(candidates, key=lambda one: (-worth[one.document_id], one.document_id))


def _without_copies(
    candidates: Sequence[_Candidate], cited: Sequence[int], collections: Mapping[int, Collection]
) -> Iterator[RelatedDocument]:
    rows = _loaded([*cited, *(one.document_id for one in candidates)])
    seen = [rows[key].signature for key in cited if key in rows]
    for one in candidates:
        row = rows.get(one.document_id)  # gone since, perhaps
        if row and not any(_alike(row.signature, other) for other in seen):
            seen.append(row.signature)
            yield _shown(one, row, collections[row.collection_id])


def _loaded(documents: Sequence[int]) -> dict[int, _Row]:
    with connection.cursor() as cursor:
        cursor.execute(_LOAD, {"documents": list(documents)})
        return {row[0]: _row(row) for row in cursor.fetchall()}


def _row(row: Sequence[Any]) -> _Row:
    return _Row(title=row[1], collection_id=row[2], signature=bytes(row[3] or b""))


def _alike(one: bytes, other: bytes) -> bool:
    return bool(one and other) and similarity(one, other) >= NEAR


def _shown(candidate: _Candidate, row: _Row, collection: Collection) -> RelatedDocument:
    cover = masked if collection.mask_personal_data else str
    return RelatedDocument(
        document_id=candidate.document_id,
        title=cover(row.title),
        collection=collection.slug,
        collection_name=collection.name,
        names=tuple(map(cover, candidate.sharing.names[:_NAMES_SHOWN])),
        near=candidate.near > _NEAR,
        url=document_url(candidate.document_id),
    )
