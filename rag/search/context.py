"""One search on its way: what was asked, where, and what the stages have to say of themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors.clearance import Clearance
from rag.llm.protocol import LanguageModel
from rag.presets import Preset
from rag.search.passage_words import SearchedWords
from rag.search.query.analysis import AnalysedQuery
from rag.search.retrieval.clock import Clock
from rag.search.retrieval.lexical import CorpusStatistics
from rag.types import Filters, Passage, Tokens, TraceEntry


@dataclass(kw_only=True)
class SearchContext:
    """`space` is read once, at the start, so that a search sees one embedding space however it ends.

    `llm` is the model for steps that a reader waits for, None where there is none; `usage` what it cost, by step.
    `indexed` has the words of chunks by their keys, as the forward index has them (`ingestion.models.ChunkWords`);
    `vector` is that of the question, None where none was compared. `cosines` are, by their keys, those of the chunks
    that it did not find, where cosines compare meanings, and `farthest` is that of the last one found; `reranked` what
    the reranker gave to those that it read, by the chunk's key. `clearance` opens documents with readers of their own.
    """

    query: AnalysedQuery
    collections: Sequence[Collection]
    statistics: CorpusStatistics
    filters: Filters
    space: EmbeddingSpace | None
    preset: Preset
    top_k: int
    intent: str = "unknown"
    llm: LanguageModel | None = None
    usage: dict[str, Tokens] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    trace: list[TraceEntry] = field(default_factory=list)
    indexed: dict[int, bytes] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    cosines: dict[int, float] = field(default_factory=dict)
    farthest: float = 0.0
    clearance: Clearance = field(default_factory=Clearance)
    reranked: dict[int, float] = field(default_factory=dict)

    @property
    def fusion(self) -> Mapping[str, Any]:
        """What the embedding space says of itself (`EmbeddingSpace.fusion`)."""
        return self.space.fusion if self.space else {}

    @property
    def reranker(self) -> str:
        """The preset's, else the one that suits the space."""
        return self.preset.reranker or str(self.fusion.get("reranker", "features"))

    def note(self, stage: str, reason: str, *, applied: bool) -> None:
        """Say what a stage did, or why it did nothing."""
        self.trace.append(TraceEntry(stage=stage, applied=applied, reason=reason))

    def spend(self, step: str, tokens: Tokens) -> None:
        """Count what a step asked of the language model."""
        self.usage[step] = self.usage.get(step, Tokens()) + tokens

    @cached_property
    def words(self) -> SearchedWords:
        """Those of the passages; what was `indexed` must be known before."""
        return SearchedWords(self.query, self.statistics, self.indexed)


class Stage(Protocol):
    """A step between fusion and the reader. `name` stands in the trace and in the latencies."""

    name: str

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        """The passages as they are after this step, best first; drawn from the given ones."""
