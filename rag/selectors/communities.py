"""The groups of a collection as a viewer may see them today."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from ingestion.library.privacy import is_masked, known_data
from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents
from ingestion.selectors.clearance import Clearance, clearance_of, cleared
from ingestion.text.personal_data.masking import masked
from rag.models import Community, CommunityDocument
from rag.search.links import document_url, passage_url
from rag.search.retrieval.filters import named
from rag.search.retrieval.groups import searched_today

_LEAST = 2  # documents: of what is left alone there is no group any more

# A sentence stands as long as an enabled chunk still says what it rests on, at the same place: after an edit, a new
# version or the end of validity it is gone, after a change of chunking it mostly is not.
_SENTENCES = """
SELECT s.community_id, s.text, d.id, d.title, s.start, s."end", s.quote, held.id
FROM rag_community k
JOIN rag_communitysentence s ON s.community_id = k.id
JOIN ingestion_document d ON d.id = s.document_id AND d.collection_id = k.collection_id
JOIN LATERAL (
    SELECT c.id FROM ingestion_chunk c
    WHERE c.document_id = d.id AND c.start <= s.start
        AND substr(c.text, s.start - c.start + 1, s."end" - s.start) = s.quote AND {condition}
    ORDER BY c.id LIMIT 1
) AS held ON TRUE
WHERE k.collection_id = %(collection)s
ORDER BY s.community_id, s.ordinal
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSentence:
    """`url` opens the passage of the document that the sentence rests on."""

    text: str
    document_id: int
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityMember:
    document_id: int
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCommunity:
    """`model` that wrote the sentences; "": they are extracts."""

    label: str
    model: str
    made: datetime
    sentences: tuple[ShownSentence, ...]
    documents: tuple[CommunityMember, ...]


def shown_communities(viewer: Viewer, collection: Collection) -> list[ShownCommunity]:
    """The largest first. `collection` must be one that the viewer may read. One query where it has none, else five or
    six.
    """
    if not Community.objects.filter(collection=collection).exists():
        return []
    covers = is_masked(collection, viewer)
    clearance = clearance_of(viewer, within=[collection.pk])
    documents, sentences = _documents(viewer, collection, covers), _sentences(collection, covers, clearance)
    open_to_viewer = _wholly_open(viewer, collection)
    return [
        ShownCommunity(
            label=masked(one.label) if covers else one.label,
            model=one.model,
            made=one.created,
            sentences=tuple(sentences[one.pk]),
            documents=tuple(documents[one.pk]),
        )
        for one in open_to_viewer
        if len(documents[one.pk]) >= _LEAST
    ]


def _documents(viewer: Viewer, collection: Collection, covers: bool) -> defaultdict[int, list[CommunityMember]]:
    """By community, the most central first."""
    readable = readable_documents(viewer).filter(collection=collection).valid_on(timezone.localdate())
    rows = CommunityDocument.objects.filter(community__collection=collection, document__in=readable)
    found = defaultdict(list)
    for community, document, title in rows.values_list("community", "document", "document__title"):
        shown = CommunityMember(
            document_id=document, title=masked(title) if covers else title, url=document_url(document)
        )
        found[community].append(shown)
    return found


def _wholly_open(viewer: Viewer, collection: Collection) -> QuerySet[Community]:
    """Without the groups that have a document which is closed to `viewer` by now: their labels speak of all."""
    closed = Document.objects.filter(collection=collection).exclude(cleared(viewer))
    members = CommunityDocument.objects.filter(community=OuterRef("pk"), document__in=closed)
    return Community.objects.filter(~Exists(members), collection=collection)


def _sentences(collection: Collection, covers: bool, clearance: Clearance) -> defaultdict[int, list[ShownSentence]]:
    sql, parameters = named(searched_today(clearance))
    with connection.cursor() as cursor:
        cursor.execute(_SENTENCES.format(condition=sql), {"collection": collection.pk, **parameters})
        rows = cursor.fetchall()
    values = _known_values(rows) if covers else [None] * len(rows)
    found = defaultdict(list)
    for row, known in zip(rows, values, strict=True):
        found[row[0]].append(_shown(row, known))
    return found


def _known_values(rows: Sequence[Any]) -> list[list[str]]:
    """The personal data at the places that the sentences rest on: the words of a model may repeat them."""
    return [known.values for known in known_data([(row[7], row[4], row[5]) for row in rows])]


def _shown(row: Sequence[Any], known: list[str] | None) -> ShownSentence:
    """`known`: what is to be covered, None where nothing is."""
    _, text, document, title, start, end, quote, _ = row
    url = passage_url(document, start, end, quote)
    if known is not None:
        text, title = masked(text, values=known), masked(title)
    return ShownSentence(text=text, document_id=document, title=title, url=url)
