"""Which documents with readers of their own somebody may read: asked once, then a number for each document.

The one home of the rule: `sql` for what is searched, `cleared` for pages. What a document without such readers opens,
its collection alone decides (`ingestion.selectors.access`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import Group
from django.db.models import Q

from ingestion.models import Document, Readership
from ingestion.models.viewers import Viewer, has_superuser_account
from ingestion.types import Readers
from knowledgetree.postgres.prepared_statements import fetch

_OWN = """
SELECT u.readership_id FROM ingestion_readership_users u WHERE u.user_id = %(account)s
UNION
SELECT g.readership_id FROM auth_user_groups m
JOIN ingestion_readership_groups g ON g.group_id = m.group_id WHERE m.user_id = %(account)s
"""
# One look into the index for each: how many documents there are does not matter.
_AMONG = """
SELECT EXISTS (
        SELECT FROM ingestion_document d WHERE d.readership_id IS NOT NULL AND d.collection_id = ANY(%(within)s)
    ),
    ARRAY(
        SELECT own.id FROM unnest(%(own)s::bigint[]) AS own(id) WHERE EXISTS (
            SELECT FROM ingestion_document d WHERE d.readership_id = own.id AND d.collection_id = ANY(%(within)s)
        ) ORDER BY own.id
    )
"""
_OPEN = """
SELECT c.id FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id
WHERE d.collection_id = ANY(%s) AND c.enabled AND {readable} LIMIT %s
"""
_FEW = 5_000
"""Chunks that are named one by one, in the cache and in statements."""
_HIDDEN = """
SELECT coalesce(sum(d.chunk_count), 0) FROM ingestion_document d
WHERE d.readership_id IS NOT NULL AND d.collection_id = ANY(%s) AND NOT ({readable})
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearance:
    """What somebody may read of the documents with readers of their own: `everything`, or those of these `readerships`.
    As it is made it opens none of them.

    `asks`: whether there may be a document that has to be asked for its readers. `few`: the chunks that it opens in the
    collections searched, where they are known and few, so that no others need be looked at; those are asked all the
    same.
    """

    everything: bool = False
    readerships: tuple[int, ...] = ()
    asks: bool = True
    few: tuple[int, ...] | None = field(default=None, repr=False, compare=False)

    @property
    def narrows(self) -> bool:
        """Whether there may be a document that may not be read."""
        return self.asks and not self.everything

    def sql(self, document: str = "d") -> tuple[str, tuple[Any, ...]]:
        """What is true of a row `document` of the documents that may be read, with its parameters."""
        if not self.narrows:
            return "true", ()
        if not self.readerships:
            return f"{document}.readership_id IS NULL", ()
        # A subquery is hashed once for a statement, whatever its plan; an array is only where the plan knows it.
        own = f"{document}.readership_id IN (SELECT unnest(%s::bigint[]))"
        return f"({document}.readership_id IS NULL OR {own})", (list(self.readerships),)

    def opens(self, document: Document) -> bool:
        """Whether this row may be read, as `sql` says of all."""
        own = document.readership_id
        return not self.narrows or own is None or own in self.readerships


UNCLEARED = Clearance()
"""Of whoever is not known, and of what is made for all readers of a collection."""


def clearance_of(viewer: Viewer, *, within: Iterable[int] | None = None) -> Clearance:
    """What `viewer` may read, `within` these collections where they are given: then equal clearances mean equal rights
    there, whoever has them. At most two queries.
    """
    everything, own = has_superuser_account(viewer), list[int]()
    if viewer.is_authenticated and viewer.is_active and not everything:
        own = [row[0] for row in fetch(_OWN, {"account": viewer.pk})]
    if within is None:
        return Clearance(everything=everything, readerships=tuple(sorted(own)))
    asks, readerships = fetch(_AMONG, {"own": own, "within": list(within)})[0]
    return Clearance(everything=everything and asks, readerships=tuple(readerships), asks=asks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How many chunks of some collections a clearance leaves `hidden`, and which ones it opens where they are `few`;
    None where they are not, or where nothing is hidden.
    """

    hidden: int = 0
    few: tuple[int, ...] | None = None


def opening(clearance: Clearance, collection_ids: Iterable[int]) -> Opening:
    """What this clearance opens of these collections."""
    if not clearance.narrows:
        return Opening()
    keys = list(collection_ids)
    sql, parameters = clearance.sql()
    hidden = int(fetch(_HIDDEN.format(readable=sql), [keys, *parameters])[0][0])
    chunks = fetch(_OPEN.format(readable=sql), [keys, *parameters, _FEW + 1])
    return Opening(hidden=hidden, few=tuple(chunk for (chunk,) in chunks) if len(chunks) <= _FEW else None)


def includes(readers: Readers | None, viewer: Viewer) -> bool:
    """Whether `viewer` would read a document with these readers; None: all who may read its collection."""
    if readers is None or has_superuser_account(viewer) or viewer.pk in readers.users:
        return True
    return Group.objects.filter(user=viewer.pk, pk__in=readers.groups).exists()


def cleared(viewer: Viewer, *, path: str = "") -> Q:
    """The same as a condition on documents, or on rows whose document stands at the lookup `path`, e.g. "document"."""
    if has_superuser_account(viewer):
        return Q(pk__isnull=False)  # all, also where it is excluded: an empty condition excludes nothing
    field = f"{path}__readership" if path else "readership"
    unbound = Q(**{f"{field}__isnull": True})
    if not viewer.is_authenticated or not viewer.is_active:
        return unbound
    own = Readership.users.through.objects.filter(user=viewer.pk).values("readership_id")
    of_groups = Readership.groups.through.objects.filter(group__user=viewer.pk).values("readership_id")
    return unbound | Q(**{f"{field}__in": own}) | Q(**{f"{field}__in": of_groups})
