"""Asking an assistant that is not saved yet, to see what a change of it does."""

from collections.abc import Sequence

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from rag.models import Assistant
from rag.selectors.scope import clearance_in, searched_collections
from rag.services.ask import ask, drain
from rag.services.ask_request import AskRequest
from rag.services.choice import assistant_preset
from rag.services.understanding import Scope
from rag.types import Answer, Filters


def try_assistant(*, assistant: Assistant, collections: Sequence[Collection], question: str, viewer: Viewer) -> Answer:
    """What `assistant` answers with these values; nothing of it is kept.

    It searches `collections`, none: all that `viewer` may read; never more than that. Raises KnowledgeTreeError.
    """
    filters = Filters(collections=tuple(collection.slug for collection in collections))
    searched = searched_collections(viewer, filters, None)
    scope = Scope(
        assistant=assistant,
        collections=searched,
        preset=assistant_preset(assistant),
        clearance=clearance_in(searched, viewer),
    )
    request = AskRequest(question=question, viewer=viewer, filters=filters, save=False, cached=False)
    return drain(ask(request, scope=scope)).answer()
