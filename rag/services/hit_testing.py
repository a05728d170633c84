"""One question searched in several configurations, to see what each finds and what differs."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from rag.llm.configuration import settings_in_force
from rag.llm.spending.budgets import affordable
from rag.llm.spending.meter import spending_for
from rag.presets import Preset, preset
from rag.search.masking import loggable
from rag.search.retriever import HybridRetriever
from rag.selectors.scope import clearance_in, searched_collections
from rag.services.choice import assistant_called, chosen_preset
from rag.services.search import checked_question
from rag.types import Filters, Passage, SearchResult

SHOWN = 10
"""Passages of a configuration that are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """`assistant` and `preset` are names, empty: the default ones; `parts` replace single parts of the preset."""

    assistant: str = ""
    preset: str = ""
    parts: Mapping[str, Any] = field(default_factory=dict)
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a configuration found; `preset` with all its parts, `milliseconds` in all."""

    preset: Preset
    collections: tuple[Collection, ...]
    result: SearchResult
    milliseconds: float

    @property
    def shown(self) -> tuple[Passage, ...]:
        return self.result.passages[:SHOWN]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """A passage at `rank` (from 1); `other` is its rank in the other configuration, None: not among its first."""

    passage: Passage
    rank: int
    other: int | None

    @property
    def climbed(self) -> int:
        """Places higher than in the other configuration; negative: lower."""
        return self.other - self.rank if self.other else 0

    @property
    def fallen(self) -> int:
        return -self.climbed


@spending_for()
def try_configuration(question: str, configuration: Configuration, *, viewer: Viewer, top_k: int = SHOWN) -> Tried:
    """Search as `viewer` would, without what earlier searches left in the caches.

    Raises InvalidQuestion, InvalidFilter, UnknownAssistant and UnknownPreset.
    """
    text = checked_question(question)
    assistant = assistant_called(configuration.assistant, viewer)
    collections = searched_collections(viewer, configuration.filters, assistant)
    chosen = chosen_preset(
        configuration.preset, assistant=assistant, collections=collections, parts=configuration.parts
    )
    started = time.perf_counter()
    clearance = clearance_in(collections, viewer)
    result = _retriever(chosen).retrieve(
        text, collections=collections, filters=configuration.filters, top_k=top_k, clearance=clearance
    )
    record(
        AuditEntry.Action.SEARCH,
        viewer=viewer,
        documents={passage.document_id for passage in result.passages} - {0},
        collections=[collection.pk for collection in collections],
        text=lambda: loggable(text, collections),
    )
    return Tried(
        preset=chosen,
        collections=tuple(collections),
        result=result,
        milliseconds=(time.perf_counter() - started) * 1000,
    )


def warm_up(question: str, *, viewer: Viewer) -> None:
    """Have dictionaries, vectors and pages of the database read, so that the configuration tried first is not slower
    for being first. No language model is asked.
    """
    filters = Filters()
    collections = searched_collections(viewer, filters)
    _retriever(preset("offline")).retrieve(
        checked_question(question),
        collections=collections,
        filters=filters,
        top_k=1,
        clearance=clearance_in(collections, viewer),
    )


def placings(tried: Tried, other: Tried | None) -> list[Placing]:
    """The shown passages, in order, with where they stand in `other`."""
    ranks = {passage.chunk_id: rank for rank, passage in enumerate(other.shown, start=1)} if other else {}
    return [
        Placing(passage=passage, rank=rank, other=ranks.get(passage.chunk_id))
        for rank, passage in enumerate(tried.shown, start=1)
    ]


def _retriever(chosen: Preset) -> HybridRetriever:
    settings = settings_in_force()
    llm = affordable(settings.llm) if chosen.search_asks_model else settings.llm
    return HybridRetriever(preset=chosen, lexical=settings.lexical, engine=settings.search_engine, llm=llm)
