"""Searching, for everybody who searches."""

from django.utils.translation import gettext as _

from ingestion.models import Collection, EmbeddingSpace
from ingestion.models.sources import Viewer
from ingestion.selectors import visible_collections
from knowledgetree.conf import rag_settings
from rag.errors import InvalidFilter, InvalidQuestion
from rag.presets import preset as preset_called
from rag.retrieval.hybrid import HybridRetriever
from rag.types import Filters, SearchResult

MAX_LENGTH = 2000


def search(
    *,
    query: str,
    viewer: Viewer,
    filters: Filters | None = None,
    top_k: int = 10,
    preset: str = "",
    space: EmbeddingSpace | None = None,
) -> SearchResult:
    """Passages for `query` that `viewer` may read, best first, at most `top_k` (1 to 100).

    `space` None: the active embedding space.

    Raises InvalidQuestion and InvalidFilter.
    """
    filters = filters or Filters()
    if not 1 <= top_k <= 100:
        raise InvalidFilter(_("top_k must be between 1 and 100."))
    query = checked_question(query)
    chosen = preset_called(preset)
    retriever = HybridRetriever(preset=chosen, lexical=rag_settings().lexical, space=space)
    return retriever.retrieve(query, collections=searched_collections(viewer, filters), filters=filters, top_k=top_k)


def checked_question(text: str) -> str:
    text = text.replace("\x00", "").strip()
    if not 0 < len(text) <= MAX_LENGTH:
        raise InvalidQuestion(
            _("The question is empty.") if not text else _("The question has %(n)d characters.") % {"n": len(text)}
        )
    return text


def searched_collections(viewer: Viewer, filters: Filters) -> list[Collection]:
    """The visible collections, narrowed by the filter. One that is hidden is as unknown as one that does not exist."""
    visible = visible_collections(viewer)
    if not filters.collections:
        return list(visible)
    chosen = list(visible.filter(slug__in=filters.collections))
    if unknown := set(filters.collections) - {collection.slug for collection in chosen}:
        raise InvalidFilter(_("There is no collection %(names)s.") % {"names": ", ".join(sorted(unknown))})
    return chosen
