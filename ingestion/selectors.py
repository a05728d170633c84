"""What may be read, by whom. Every reading path of the product starts at one of these."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Q, QuerySet

from ingestion.index.serving import active_space, embedder_of
from ingestion.models import Collection, Document, Extraction, Job
from ingestion.models.documents import DocumentQuerySet
from ingestion.models.sources import CollectionQuerySet, Viewer
from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.prepared import fetch

__all__ = [
    "active_space",
    "configured_model",
    "document_text",
    "document_texts",
    "embedder_of",
    "indexed_lemmas",
    "operator",
    "readable_document",
    "readable_documents",
    "readers_of",
    "term_keys",
    "visible_collections",
    "visible_jobs",
]

_TERM_KEYS = """
SELECT text, id FROM ingestion_term WHERE text = ANY(%s)
UNION SELECT text, id FROM ingestion_term WHERE id = ANY(%s::int[])
"""


def indexed_lemmas(forms: Iterable[str]) -> dict[str, str]:
    """The lemmas of forms, as the index has them; forms that it lacks are missing."""
    with connection.cursor() as cursor:
        # Hundreds of words as one string: written as an array they cost more than the query. No form has a space.
        cursor.execute(
            "SELECT text, lemma FROM ingestion_term WHERE text = ANY(string_to_array(%s, ' ')) AND lemma <> ''",
            [" ".join(forms)],
        )
        return dict(cursor.fetchall())


def term_keys(texts: Iterable[str], keys: Iterable[int]) -> dict[str, int]:
    """The keys by their text of the terms that are one of `texts` or have one of `keys`."""
    return dict(fetch(_TERM_KEYS, [list(texts), list(keys)]))


def visible_collections(viewer: Viewer) -> CollectionQuerySet:
    return Collection.objects.visible_to(viewer)


def visible_jobs(viewer: Viewer) -> QuerySet[Job]:
    """Jobs of what `viewer` may see; those of no collection at all (embedding spaces) are the superusers'."""
    if viewer.is_authenticated and viewer.is_active and getattr(viewer, "is_superuser", False):
        return Job.objects.all()
    seen = visible_collections(viewer)
    return Job.objects.filter(Q(document__collection__in=seen) | Q(collection__in=seen))


def readers_of(collection: Collection) -> QuerySet[User]:
    """The living accounts that may read `collection`: `visible_collections` seen from its other side."""
    living = User.objects.filter(is_active=True)
    if collection.visibility != Collection.Visibility.RESTRICTED:
        return living
    chosen = Collection.groups.through.objects.filter(collection=collection).values("group_id")
    members = User.groups.through.objects.filter(group__in=chosen).values("user_id")
    return living.filter(Q(is_superuser=True) | Q(pk__in=members))


def readable_documents(viewer: Viewer) -> DocumentQuerySet:
    """Documents that `viewer` may open, with their collection."""
    return Document.objects.visible_to(viewer).readable().select_related("collection")


def readable_document(viewer: Viewer, pk: int) -> Document:
    """Raises Document.DoesNotExist alike for a document that is not there and one that is not for this viewer."""
    return readable_documents(viewer).get(pk=pk)


def document_text(document: Document, *, extractor: str = "") -> Extraction | None:
    """The text that citations point into: the document's, or the one that `extractor` read beside it."""
    texts = document_texts(document)
    return next((text for text in texts if text.extractor == extractor), texts[0] if texts else None)


def document_texts(document: Document) -> list[Extraction]:
    """The document's text, and after it the one that a second extractor read, where there is one."""
    return list(document.extractions.order_by("pk"))


def configured_model(embedder: str) -> str:
    """The model that the settings give to `embedder`. Where its options name one, nothing heavy is loaded."""
    declared = rag_settings().components.get("embedders", {}).get(embedder)
    named = declared.options.get("model") if declared else None
    return str(named or component("embedders", embedder).name)


def operator() -> Viewer:
    """The viewer of management commands: whoever runs one can read the database anyway."""
    return User(username="operator", is_superuser=True, is_active=True)
