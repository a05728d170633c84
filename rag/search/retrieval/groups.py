"""The groups of documents (`rag.models.Community`) around some documents, as a search sees them today."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import connection

from ingestion.models import Collection
from ingestion.selectors.clearance import UNCLEARED, Clearance
from ingestion.text.personal_data.masking import masked
from rag.search.retrieval.filters import Condition, condition, named
from rag.types import Filters

# A document that was indexed anew since has other chunks, and may be about something else: it is no member until the
# groups are made anew.
_GROUPS = """
SELECT k.id, k.collection_id, k.label, array_agg(m.document_id ORDER BY m.ordinal), array_agg(c.id ORDER BY m.ordinal)
FROM rag_community k
JOIN rag_communitydocument m ON m.community_id = k.id
JOIN ingestion_document d ON d.id = m.document_id AND d.collection_id = k.collection_id
JOIN ingestion_chunk c ON c.id = m.chunk_id AND c.document_id = d.id
WHERE k.id IN (SELECT near.community_id FROM rag_communitydocument near WHERE near.document_id = ANY(%(documents)s))
    AND k.collection_id = ANY(%(collections)s) AND {condition}
GROUP BY k.id
"""
# What a group is called says something of all its documents: where one is closed to the viewer by now, there is none.
_OPEN = """NOT EXISTS (
    SELECT FROM rag_communitydocument other JOIN ingestion_document closed ON closed.id = other.document_id
    WHERE other.community_id = k.id AND NOT {readable}
)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """`chunks`: of each document, by its key, the one that says best what the group is about; most central first."""

    label: str
    chunks: dict[int, int]


def searched_today(clearance: Clearance = UNCLEARED) -> Condition:
    """What a search without filters would find now: for everybody who may read the collection, which groups are made
    of, or for whom `clearance` is.
    """
    return condition(Filters(), clearance=clearance)


def wholly_open(condition: Condition, clearance: Clearance) -> Condition:
    """Beside `condition` that `clearance` opens every document of the group `k`, as its label speaks of all."""
    if not clearance.narrows:
        return condition
    readable, own = clearance.sql("closed")
    asked = f"{condition.sql} AND {_OPEN.format(readable=readable)}"
    return replace(condition, sql=asked, parameters=[*condition.parameters, *own])


def groups_around(
    documents: Sequence[int],
    *,
    collections: Sequence[Collection],
    condition: Condition,
    clearance: Clearance = UNCLEARED,
) -> dict[int, Group]:
    """The group of each of `documents` that is in one of `collections`, with what passes the condition. One query."""
    sql, parameters = named(wholly_open(condition, clearance))
    covers = {collection.pk: collection.mask_personal_data for collection in collections}
    values = {"documents": list(documents), "collections": list(covers)}
    with connection.cursor() as cursor:
        cursor.execute(_GROUPS.format(condition=sql), values | parameters)
        rows = cursor.fetchall()
    found = [
        Group(label=masked(label) if covers[collection] else label, chunks=dict(zip(members, chunks, strict=True)))
        for _, collection, label, members, chunks in rows
    ]
    return {document: group for group in found for document in group.chunks}
