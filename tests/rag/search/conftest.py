"""Searches with parts of the offline preset replaced, as integrators build them."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ingestion.models import Collection
from knowledgetree.conf import rag_settings
from rag.presets import preset
from rag.search.retriever import HybridRetriever
from rag.types import Filters, SearchResult

Search = Callable[..., SearchResult]


@pytest.fixture
def searching(db: None) -> Search:
    """`searching("question", neighbours=1)`: the offline preset with the stages under test off, but for the given."""

    def run(
        question: str, *, top_k: int = 10, intent: str = "unknown", filters: Filters | None = None, **parts: Any
    ) -> SearchResult:
        off: Mapping[str, Any] = {"alike_above": 1.0, "neighbours": 0, "boosts": {}}
        retriever = HybridRetriever(preset=preset("offline", {**off, **parts}), lexical=rag_settings().lexical)
        return retriever.retrieve(
            question,
            collections=list(Collection.objects.all()),
            filters=filters or Filters(),
            top_k=top_k,
            intent=intent,
        )

    return run
