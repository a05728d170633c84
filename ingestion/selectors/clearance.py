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
from ingestion.selectors.chunk_readers import known_readers
from ingestion.selectors.knowledge_version import knowledge_version
from ingestion.selectors.opening import Opening
from ingestion.types import Readers
from knowledgetree.postgres.prepared_statements import fetch

_OWN = """
SELECT ARRAY(SELECT readership_id FROM ingestion_readership_users WHERE user_id = %(account)s)
    || ARRAY(
        SELECT readership_id FROM ingestion_readership_groups
        WHERE group_id = ANY(ARRAY(SELECT group_id FROM auth_user_groups WHERE user_id = %(account)s))
    )
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearance:
    """What somebody may read of the documents with readers of their own: `everything`, or those of these `readerships`.
    As it is made it opens none of them.

    `asks`: whether there may be a document that has to be asked for its readers. `opening`: which chunks of the
    collections searched it opens, where that is known, so that others need not be looked at; what is found is asked all
    the same.
    """

    everything: bool = False
    readerships: tuple[int, ...] = ()
    asks: bool = True
    opening: Opening | None = field(default=None, repr=False, compare=False)

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
        return self.includes(document.readership_id)

    def includes(self, readership: int | None) -> bool:
        """Whether a document that these alone may read, None: all, may be read."""
        return not self.narrows or readership is None or readership in self.readerships


UNCLEARED = Clearance()
"""Of whoever is not known, and of what is made for all readers of a collection."""


def clearance_of(viewer: Viewer, *, within: Iterable[int] | None = None) -> Clearance:
    """What `viewer` may read, `within` these collections where they are given: then equal clearances mean equal rights
    there, whoever has them. At most two queries.
    """
    everything = has_superuser_account(viewer)
    if within is None:
        return Clearance(everything=everything, readerships=() if everything else _readerships(viewer))
    known = known_readers(within)
    occurring = known.readerships
    narrows = bool(occurring) and not everything
    own = tuple(key for key in _readerships(viewer) if key in occurring) if narrows else ()
    return Clearance(
        everything=everything and bool(occurring),
        readerships=own,
        asks=bool(occurring),
        opening=Opening(known=known, readerships=frozenset(own) if narrows else None),
    )


def _readerships(viewer: Viewer) -> tuple[int, ...]:
    """The sets of readers that somebody is in, in their order."""
    if not viewer.is_authenticated or not viewer.is_active:
        return ()
    return tuple(sorted(set(fetch(_OWN, {"account": viewer.pk})[0][0])))


def opening_in(clearance: Clearance, collection_ids: Iterable[int]) -> Opening:
    """What it opens of these collections: what is known of them already, else as they are now."""
    keys = set(collection_ids)
    if clearance.opening and clearance.opening.is_of(keys):
        return clearance.opening
    return Opening(
        known=known_readers(keys), readerships=frozenset(clearance.readerships) if clearance.narrows else None
    )


def version_seen(clearance: Clearance, collection_ids: Iterable[int]) -> str:
    """The version of these collections whose words and chunks it looks at: what is kept of a search is kept for it."""
    keys = set(collection_ids)
    if clearance.opening and clearance.opening.is_of(keys):
        return clearance.opening.known.version
    return knowledge_version(keys)


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
