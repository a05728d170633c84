"""Which assistants somebody may speak with, and which they may change."""

from django.db.models import Exists, OuterRef, QuerySet

from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from rag.models import Assistant

HELP = "pomoc"
"""The assistant, the collection and the evaluation set about the program itself."""


def offered_assistants(viewer: Viewer) -> QuerySet[Assistant]:
    """Those in use, without the ones that search nothing but collections closed to `viewer`."""
    own = Assistant.collections.through.objects.filter(assistant=OuterRef("pk"))
    readable = own.filter(collection__in=visible_collections(viewer))
    return Assistant.objects.filter(enabled=True).filter(~Exists(own) | Exists(readable))


def is_help_offered(viewer: Viewer) -> bool:
    readable = visible_collections(viewer).filter(slug=HELP, assistants__slug=HELP, assistants__enabled=True)
    return readable.exists()


def editable_assistants(viewer: Viewer) -> QuerySet[Assistant]:
    """Without those of a collection that is closed to `viewer`: their form would name it."""
    own = Assistant.collections.through.objects.filter(assistant=OuterRef("pk"))
    return Assistant.objects.filter(~Exists(own.exclude(collection__in=visible_collections(viewer))))
