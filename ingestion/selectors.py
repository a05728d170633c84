"""What may be read, by whom. Every reading path of the product starts at one of these."""

from django.contrib.auth.models import User

from ingestion.models import Collection, Document, EmbeddingSpace, Extraction
from ingestion.models.documents import DocumentQuerySet
from ingestion.models.sources import CollectionQuerySet, Viewer
from ingestion.protocols import Embedder
from knowledgetree.components import component


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


def active_space() -> EmbeddingSpace | None:
    """The space that searches run in; None before the first document."""
    return EmbeddingSpace.objects.filter(status=EmbeddingSpace.Status.ACTIVE).first()


def embedder_of(space: EmbeddingSpace) -> Embedder:
    embedder: Embedder = component("embedders", space.embedder)
    return embedder


def operator() -> Viewer:
    """The viewer of management commands: whoever runs one can read the database anyway."""
    return User(username="operator", is_superuser=True, is_active=True)
