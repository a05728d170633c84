"""The groups of documents (`rag.models.Community`) around some documents, as a search sees them today."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from ingestion.models import Collection
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """`chunks`: of each document, by its key, the one that says best what the group is about; most central first."""

    label: str
    chunks: dict[int, int]


def searched_today() -> Condition:
    """What a search without filters would find now: of this groups are made, and shown."""
    return condition(Filters())


def groups_around(
    documents: Sequence[int], *, collections: Sequence[Collection], condition: Condition
) -> dict[int, Group]:
    """The group of each of `documents` that is in one of `collections`, with what passes the condition. One query."""
    sql, parameters = named(condition)
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
