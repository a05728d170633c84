"""Which rows a viewer may see: one rule for each kind, for pages, the API and commands alike."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet

from ingestion.models import (
    ApiKey,
    Chunk,
    Collection,
    Document,
    GlossaryEntry,
    Job,
    RechunkedCollection,
    Rechunking,
    Source,
    SynonymGroup,
)
from ingestion.models.documents import DocumentQuerySet
from ingestion.models.viewers import Viewer, has_superuser_account, is_bound, is_editor, is_superuser, key_of
from ingestion.selectors.clearance import cleared
from knowledgetree.postgres.prepared_statements import fetch

M = TypeVar("M", bound=Model)

_ARCHIVES = """
SELECT k.id FROM ingestion_collection k
WHERE k.archive_of_id = ANY(%(own)s) AND (%(day)s::date IS NULL OR EXISTS (
    SELECT FROM ingestion_document d
    WHERE d.collection_id = k.id AND d.earlier_id IS NOT NULL AND d.valid_to >= %(day)s::date
))
"""


def operator() -> Viewer:
    """The viewer of management commands: whoever runs one can read the database anyway."""
    return User(username="operator", is_superuser=True, is_active=True)


def trying(viewer: Viewer, copies: Iterable[Collection]) -> Viewer:
    """`viewer`, for whom each of these copies, split on trial, is searched in place of its original (`in_trial`). For a
    measurement alone: no request makes such a viewer.
    """
    viewer.trials = {copy.trial_of_id: copy for copy in copies}  # type: ignore[union-attr]
    return viewer


def in_trial(viewer: Viewer, collections: Sequence[Collection]) -> list[Collection]:
    """What is searched for `viewer` in place of `collections`, which it may read; in memory only."""
    trials: Mapping[int | None, Collection] = getattr(viewer, "trials", {})
    for collection in collections:
        if copy := trials.get(collection.pk):
            copy.mask_personal_data = collection.mask_personal_data
    return [trials.get(collection.pk, collection) for collection in collections]


def visible_collections(viewer: Viewer) -> QuerySet[Collection]:
    """The collections that `viewer` may read. Every other rule here rests on this one.

    Anonymous people see public ones, signed-in users internal ones too, members of a chosen group restricted
    ones; an active superuser sees all. A program sees those of its account that its key is for.
    """
    seen, key = _collections_of_account(viewer), key_of(viewer)
    return seen.filter(pk__in=key.collections.values("pk")) if key and key.bound else seen


def collections_for_all_questions(viewer: Viewer) -> QuerySet[Collection]:
    """Those that a question of `viewer` is searched in where nobody chose any."""
    return visible_collections(viewer).filter(only_when_chosen=False)


def _collections_of_account(viewer: Viewer) -> QuerySet[Collection]:
    if not viewer.is_authenticated or not viewer.is_active:
        return Collection.objects.filter(visibility=Collection.Visibility.PUBLIC)
    if has_superuser_account(viewer):
        return Collection.objects.all()
    # One subquery, not one in another: composing this takes Django longer than PostgreSQL needs to answer it.
    opened = Collection.groups.through.objects.filter(group__user=viewer.pk).values("collection_id")
    return Collection.objects.filter(
        Q(visibility__in=[Collection.Visibility.PUBLIC, Collection.Visibility.INTERNAL])
        | Q(visibility=Collection.Visibility.RESTRICTED, pk__in=opened)
    )


def readers_of(collection: Collection) -> QuerySet[User]:
    """The living accounts that may read `collection`: `visible_collections` seen from its other side."""
    living = User.objects.filter(is_active=True)
    if collection.visibility != Collection.Visibility.RESTRICTED:
        return living
    chosen = Collection.groups.through.objects.filter(collection=collection).values("group_id")
    members = User.groups.through.objects.filter(group__in=chosen).values("user_id")
    return living.filter(Q(is_superuser=True) | Q(pk__in=members))


def own_keys(viewer: Viewer) -> QuerySet[ApiKey]:
    """The keys of the account of `viewer`, a person; a program sees none, not even its own."""
    return ApiKey.objects.none() if key_of(viewer) else ApiKey.objects.filter(owner=viewer.pk)


def in_visible_collections(
    rows: QuerySet[M], viewer: Viewer, *, path: str = "collection", shared: bool = False, document: str | None = None
) -> QuerySet[M]:
    """Those of `rows` whose collection, at the lookup `path`, `viewer` may read; with `shared` those of none too. Where
    rows are documents ("") or have one at the lookup `document`, only of those that the viewer may read.

    A superuser sees all of them but what documents said earlier and copies on trial.
    """
    if is_superuser(viewer):
        return rows.filter(**{f"{document}__earlier": None, f"{document}__trial_of": None}) if document else rows
    if document is not None:
        rows = rows.filter(cleared(viewer, path=document))
    permitted = rows.filter(**{f"{path}__in": visible_collections(viewer)})
    return permitted | rows.filter(**{f"{path}__isnull": True}) if shared else permitted


def may_write_for(viewer: Viewer, collection: Collection | None) -> bool:
    """Whether what belongs to `collection` is `viewer`'s to write: what belongs to none holds in all, which is beyond
    a key for chosen collections.
    """
    return collection is not None or not is_bound(viewer)


def visible_synonym_groups(viewer: Viewer) -> QuerySet[SynonymGroup]:
    """Groups of the collections that `viewer` may read, and those for all, with their words."""
    rows = SynonymGroup.objects.select_related("collection", "pack").prefetch_related("synonyms")
    return in_visible_collections(rows, viewer, shared=True)


def visible_glossary(viewer: Viewer) -> QuerySet[GlossaryEntry]:
    """Entries of the collections that `viewer` may read, and those for all."""
    return in_visible_collections(GlossaryEntry.objects.select_related("collection"), viewer, shared=True)


def visible_documents(viewer: Viewer) -> DocumentQuerySet:
    """Documents of every status that `viewer` may read: what editors work with."""
    return Document.objects.filter(cleared(viewer), collection__in=visible_collections(viewer))


def visible_of_all_times(viewer: Viewer) -> DocumentQuerySet:
    """The same, and what they said earlier: to ask of known rows whether they may be read, never to list any."""
    seen = visible_collections(viewer)
    in_them = Q(collection__in=seen) | Q(collection__archive_of__in=seen)
    return Document.of_all_times.filter(cleared(viewer), in_them)


def readable_documents(viewer: Viewer) -> DocumentQuerySet:
    """Documents that `viewer` may open as a reader, with their collection."""
    return visible_documents(viewer).readable().select_related("collection")


def readable_document(viewer: Viewer, pk: int) -> Document:
    """Raises Document.DoesNotExist alike for a document that is not there and one that is not for this viewer.

    What a document said earlier opens like the document, as one of the document's own collection; in memory only.
    """
    if found := readable_documents(viewer).filter(pk=pk).first():
        return found
    rows = visible_of_all_times(viewer).readable().select_related("collection__archive_of")
    row = rows.get(pk=pk, earlier__isnull=False)
    assert row.collection.archive_of is not None  # noqa: S101  for the type checker
    row.collection = row.collection.archive_of
    return row


def archives_of(collections: Sequence[Collection], *, in_force_on: date | None = None) -> list[Collection]:
    """The archives of these collections, each in the terms of its own one (weights, whether personal data are covered);
    in memory only. `in_force_on`: only those with something that holds on that day.

    Who may read a collection may read its archive: whoever calls this has asked who that is.
    """
    own = {collection.pk: collection for collection in collections}
    keys = [row[0] for row in fetch(_ARCHIVES, {"own": list(own), "day": in_force_on})]
    archives = list(Collection.with_archives.filter(pk__in=keys).order_by("pk")) if keys else []
    for archive in archives:
        of = own[archive.archive_of_id or 0]
        archive.mask_personal_data, archive.name = of.mask_personal_data, of.name
        archive.lemma_weight, archive.form_weight = of.lemma_weight, of.form_weight
    return archives


def open_documents(viewer: Viewer) -> DocumentQuerySet:
    """Documents as the API lists them, with their collection: readers' are ready, editors' of every status."""
    if is_editor(viewer, "ingestion.view_document"):
        return visible_documents(viewer).select_related("collection")
    return readable_documents(viewer)


def open_chunks(viewer: Viewer, document: Document) -> QuerySet[Chunk]:
    """The chunks of a document that `viewer` may open: readers' are searched, editors' may be switched off."""
    chunks = Chunk.objects.filter(document=document)
    return chunks if is_editor(viewer, "ingestion.view_document") else chunks.filter(enabled=True)


def visible_sources(viewer: Viewer) -> QuerySet[Source]:
    """Sources that fill a collection which `viewer` may read."""
    return in_visible_collections(Source.objects.select_related("collection"), viewer)


def visible_jobs(viewer: Viewer) -> QuerySet[Job]:
    """Jobs of what `viewer` may see; those of no collection at all (embedding spaces) are the superusers'."""
    if is_superuser(viewer):
        return Job.objects.all()
    seen = visible_collections(viewer)
    of_documents = Q(document__collection__in=seen) & cleared(viewer, path="document")
    return Job.objects.filter(of_documents | Q(document=None, collection__in=seen))


def visible_rechunkings(viewer: Viewer) -> QuerySet[Rechunking]:
    """Changes of chunking that concern only collections which `viewer` may read: its page names each."""
    hidden = RechunkedCollection.objects.exclude(collection__in=visible_collections(viewer))
    return Rechunking.objects.exclude(pk__in=hidden.values("rechunking"))
