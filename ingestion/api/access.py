"""Which rows a viewer's request may touch, as SQL. Counts and pages are made of these alone."""

from django.db.models import QuerySet

from ingestion.api.permissions import is_editor
from ingestion.models import Document
from ingestion.models.sources import Viewer
from ingestion.selectors import readable_documents


def open_documents(viewer: Viewer) -> QuerySet[Document]:
    """Readers see what is ready; editors every status. Both only in collections visible to them."""
    if is_editor(viewer, "ingestion.view_document"):
        return Document.objects.visible_to(viewer)
    return readable_documents(viewer)
