"""Which widgets answer anybody, and which an editor may change."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from ingestion.models.viewers import Viewer
from rag.models import Widget
from rag.selectors.assistants import editable_assistants, offered_assistants


def living_widgets() -> QuerySet[Widget]:
    """Those in use whose assistant speaks with everybody: visitors of a page are not signed in here."""
    answering = offered_assistants(AnonymousUser())
    return Widget.objects.filter(enabled=True, assistant__in=answering).select_related("assistant")


def editable_widgets(viewer: Viewer) -> QuerySet[Widget]:
    """Those of assistants that `viewer` may change: their form would name the others."""
    return Widget.objects.filter(assistant__in=editable_assistants(viewer)).select_related("assistant")
