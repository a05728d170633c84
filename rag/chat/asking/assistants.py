"""The assistants that a reader can choose from."""

from django.db.models import Exists, OuterRef, QuerySet

from ingestion.models.sources import Viewer
from ingestion.selectors import visible_collections
from rag.models import Assistant


def offered_assistants(viewer: Viewer) -> QuerySet[Assistant]:
    """Those in use, without the ones that search nothing but collections closed to `viewer`."""
    own = Assistant.collections.through.objects.filter(assistant=OuterRef("pk"))
    readable = own.filter(collection__in=visible_collections(viewer))
    return Assistant.objects.filter(enabled=True).filter(~Exists(own) | Exists(readable))
