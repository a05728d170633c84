"""Who alone may read a document, by name, and who says so: for editors, who may see such names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from ingestion.models import Document, Readership
from ingestion.models.descriptions import READERS
from ingestion.selectors import readers_of
from ingestion.types import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedReaders:
    """Names of groups and of accounts, each in order; `origin`: whether an editor says so or the document's source."""

    groups: tuple[str, ...]
    users: tuple[str, ...]
    origin: Origin


def named_readers(documents: Iterable[Document]) -> dict[int, NamedReaders]:
    """The readers of those of `documents` that have their own, by key. Three queries, none where there are none."""
    limited = {row.pk: row for row in documents if row.readership_id is not None}
    if not limited:
        return {}
    wanted = Readership.objects.filter(pk__in={row.readership_id for row in limited.values()})
    sets = {one.pk: one for one in wanted.prefetch_related("groups", "users")}
    return {pk: _named(sets[row.readership_id or 0], origin_of(row)) for pk, row in limited.items()}


def origin_of(document: Document) -> Origin:
    """Who says who may read the document, where anybody does."""
    return "editor" if READERS in document.edited else "source"


def readers_of_document(document: Document) -> QuerySet[User]:
    """The living accounts that may read `document`."""
    of_collection = readers_of(document.collection)
    if document.readership_id is None:
        return of_collection
    own = {"readership_id": document.readership_id}
    named = Readership.users.through.objects.filter(**own).values("user_id")
    groups = Readership.groups.through.objects.filter(**own).values("group_id")
    members = User.groups.through.objects.filter(group__in=groups).values("user_id")
    return of_collection.filter(Q(is_superuser=True) | Q(pk__in=named) | Q(pk__in=members))


def _named(readership: Readership, origin: Origin) -> NamedReaders:
    groups: Sequence[str] = [group.name for group in readership.groups.all()]
    users: Sequence[str] = [user.get_username() for user in readership.users.all()]
    return NamedReaders(groups=tuple(sorted(groups)), users=tuple(sorted(users)), origin=origin)
