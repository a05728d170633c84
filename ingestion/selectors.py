"""What may be read, by whom. Every reading path of the product starts at one of these."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import connection

from ingestion.models import Collection, Document, Extraction
from ingestion.models.documents import DocumentQuerySet
from ingestion.models.sources import CollectionQuerySet, Viewer
from ingestion.serving import active_space, embedder_of
from knowledgetree.components import component
from knowledgetree.conf import rag_settings

__all__ = [
    "active_space",
    "configured_model",
    "document_text",
    "embedder_of",
    "indexed_lemmas",
    "operator",
    "readable_document",
    "readable_documents",
    "visible_collections",
]


def indexed_lemmas(forms: Iterable[str]) -> dict[str, str]:
    """The lemmas of forms, as the index has them; forms that it lacks are missing."""
    with connection.cursor() as cursor:
        # Hundreds of words as one string: written as an array they cost more than the query. No form has a space.
        cursor.execute(
            "SELECT text, lemma FROM ingestion_term WHERE text = ANY(string_to_array(%s, ' ')) AND lemma <> ''",
            [" ".join(forms)],
        )
        return dict(cursor.fetchall())


def visible_collections(viewer: Viewer) -> CollectionQuerySet:
    return Collection.objects.visible_to(viewer)


def readable_documents(viewer: Viewer) -> DocumentQuerySet:
    """Documents that `viewer` may open, with their collection."""
    return Document.objects.visible_to(viewer).readable().select_related("collection")


def readable_document(viewer: Viewer, pk: int) -> Document:
    """Raises Document.DoesNotExist alike for a document that is not there and one that is not for this viewer."""
    return readable_documents(viewer).get(pk=pk)


def document_text(document: Document) -> Extraction | None:
    """The text that citations point into."""
    return document.extractions.order_by("pk").first()


def configured_model(embedder: str) -> str:
    """The model that the settings give to `embedder`. Where its options name one, nothing heavy is loaded."""
    declared = rag_settings().components.get("embedders", {}).get(embedder)
    named = declared.options.get("model") if declared else None
    return str(named or component("embedders", embedder).name)


def operator() -> Viewer:
    """The viewer of management commands: whoever runs one can read the database anyway."""
    return User(username="operator", is_superuser=True, is_active=True)
