"""One search on its way: what was asked, where, and what the stages have to say of themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors import indexed_lemmas
from ingestion.text.analyser import Word, analyser
from ingestion.text.searched import searched_text
from rag.presets import Preset
from rag.protocols import LanguageModel
from rag.query.analysis import AnalysedQuery
from rag.reranking.rows import signal_rows
from rag.retrieval.clock import Clock
from rag.retrieval.lexical import CorpusStatistics
from rag.types import Filters, Passage, Tokens, TraceEntry


@dataclass(slots=True, kw_only=True)
class SearchContext:
    """`space` is read once, at the start, so that a search sees one embedding space however it ends.

    `llm` is the model for steps that a reader waits for, None where there is none; `usage` what it cost, by step.
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
    _signals: dict[int, dict[str, float]] = field(default_factory=dict)
    _pieces: dict[tuple[int, int, int], list[str]] = field(default_factory=dict)
    _words: dict[tuple[int, int, int], list[Word]] = field(default_factory=dict)

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

    def read(self, passages: Sequence[Passage]) -> None:
        """Find the words of passages in their texts, and their lemmas in the index: one query for all of them."""
        for passage in passages:
            text = searched_text(title=passage.title, headings=passage.heading_path, text=passage.text)
            self._pieces[_place(passage)] = analyser().pieces(text)
        analyser().learn(chain.from_iterable(self._pieces.values()), indexed_lemmas)

    def words(self, passage: Passage) -> list[Word]:
        """The words a passage is searched by, analysed once a search: several stages look at them."""
        place = _place(passage)
        if place not in self._words:
            if place not in self._pieces:  # its text was extended since
                self.read([passage])
            self._words[place] = analyser().words_of(self._pieces[place])
        return self._words[place]

    def signals(self, passages: Sequence[Passage]) -> list[dict[str, float]]:
        """The lexical signals of each passage, computed once a search."""
        new = [passage for passage in passages if passage.chunk_id not in self._signals]
        rows = signal_rows(self.query, map(self.words, new), self.statistics)
        self._signals |= {passage.chunk_id: row for passage, row in zip(new, rows, strict=True)}
        return [self._signals[passage.chunk_id] for passage in passages]


def _place(passage: Passage) -> tuple[int, int, int]:
    return passage.chunk_id, passage.start, passage.end


class Stage(Protocol):
    """A step between fusion and the reader. `name` stands in the trace and in the latencies."""

    name: str

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        """The passages as they are after this step, best first; drawn from the given ones."""
