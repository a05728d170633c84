"""Searching, for everybody who searches."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from ingestion.models import EmbeddingSpace
from ingestion.models.viewers import Viewer
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from knowledgetree.conf import rag_settings
from rag.errors import InvalidFilter, InvalidQuestion
from rag.llm.configuration import settings_in_force
from rag.llm.masking.question_pseudonyms import keep_pseudonyms
from rag.llm.spending.budgets import affordable
from rag.llm.spending.meter import spending_for
from rag.search.masking import loggable
from rag.search.query.searched_words import searched_words
from rag.search.results_cache import expanded_query
from rag.search.retriever import HybridRetriever
from rag.selectors.scope import clearance_in, searched_collections, with_archives
from rag.services.choice import assistant_called, chosen_preset
from rag.types import Filters, SearchedWord, SearchResult

MAX_LENGTH = 2000


def search_passages(
    *,
    query: str,
    viewer: Viewer,
    filters: Filters | None = None,
    top_k: int = 10,
    preset: str = "",
    assistant: str = "",
    parts: Mapping[str, Any] | None = None,
    space: EmbeddingSpace | None = None,
    logged: bool = True,
) -> SearchResult:
    """Passages for `query` that `viewer` may read, best first, at most `top_k` (1 to 100).

    `assistant` and `preset` are names; empty: the default ones; `parts` replace single parts of the preset. `space`
    None: the active embedding space. Not `logged` is what the program looks up beside what its reader asked for.

    Raises InvalidQuestion, InvalidFilter, UnknownAssistant and UnknownPreset.
    """
    filters = filters or Filters()
    if not 1 <= top_k <= 100:
        raise InvalidFilter(_("top_k must be between 1 and 100."))
    query = checked_question(query)
    spoken_to = assistant_called(assistant, viewer)
    collections = searched_collections(viewer, filters, spoken_to)
    chosen = chosen_preset(preset, assistant=spoken_to, collections=collections, parts=parts)
    settings = settings_in_force()
    with spending_for(spoken_to.pk if spoken_to else None), keep_pseudonyms():
        retriever = HybridRetriever(
            preset=chosen,
            lexical=settings.lexical,
            engine=settings.search_engine,
            llm=affordable(settings.llm) if chosen.search_asks_model else settings.llm,
            space=space,
            result_seconds=settings.caches.result_seconds,
        )
        within = with_archives(collections, filters)
        clearance = clearance_in(within, viewer)
        result = retriever.retrieve(query, collections=within, filters=filters, top_k=top_k, clearance=clearance)
    if logged:
        record(
            AuditEntry.Action.SEARCH,
            viewer=viewer,
            outcome="" if result.passages else "not_found",
            documents={passage.document_id for passage in result.passages} - {0},
            collections=[collection.pk for collection in collections],
            text=lambda: loggable(query, collections),
        )
    return result


def words_searched(*, query: str, viewer: Viewer) -> tuple[SearchedWord, ...]:
    """What is looked for where `viewer` asks `query` of the default assistant. Raises InvalidQuestion."""
    collections = searched_collections(viewer, Filters(), assistant_called("", viewer))
    seconds = rag_settings().caches.result_seconds
    clearance = clearance_in(collections, viewer)
    return searched_words(expanded_query(checked_question(query), collections, seconds=seconds, clearance=clearance))


def checked_question(text: str) -> str:
    text = text.replace("\x00", "").strip()
    if not 0 < len(text) <= MAX_LENGTH:
        raise InvalidQuestion(
            _("The question is empty.") if not text else _("The question has %(n)d characters.") % {"n": len(text)}
        )
    return text
