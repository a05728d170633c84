"""What may be read, by whom. Every reading path of the product starts at one of these."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from ingestion.errors import WrongEmbedder
from ingestion.models import Collection, Document, EmbeddingSpace, Extraction
from ingestion.models.documents import DocumentQuerySet
from ingestion.models.sources import CollectionQuerySet, Viewer
from ingestion.protocols import Embedder
from knowledgetree.components import component
from knowledgetree.conf import rag_settings


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
    """The embedder whose vectors the space holds. Raises WrongEmbedder where the settings give it another model."""
    embedder: Embedder = component("embedders", space.embedder, space.options)
    if embedder.name != space.model:
        raise WrongEmbedder(
            _("The vectors are those of %(model)s, but the embedder %(embedder)s now has %(configured)s.")
            % {"model": space.model, "embedder": space.embedder, "configured": embedder.name},
            remedy=_("Set EMBEDDING_MODEL=%(model)s back, or have every document embedded again.")
            % {"model": space.model},
        )
    return embedder


def configured_model(embedder: str) -> str:
    """The model that the settings give to `embedder`. Where its options name one, nothing heavy is loaded."""
    declared = rag_settings().components.get("embedders", {}).get(embedder)
    named = declared.options.get("model") if declared else None
    return str(named or component("embedders", embedder).name)


def operator() -> Viewer:
    """The viewer of management commands: whoever runs one can read the database anyway."""
    return User(username="operator", is_superuser=True, is_active=True)
