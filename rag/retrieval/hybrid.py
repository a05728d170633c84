"""Lexical and dense search together: retrieve, fuse, rerank, explain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ingestion.models import Collection
from ingestion.text.analyser import analyser
from ingestion.text.searched import searched_text
from knowledgetree.conf import LexicalSettings
from rag.presets import Preset
from rag.query.analysis import AnalysedQuery, analyse_query
from rag.query.expanded import expanded
from rag.reranking.features import FeaturesReranker, signal_rows
from rag.reranking.typed_words import typed_words_first
from rag.retrieval.clock import Clock
from rag.retrieval.explanation import WordExplainer
from rag.retrieval.filters import condition
from rag.retrieval.legs import LegRunner
from rag.retrieval.lexical import CorpusStatistics, corpus_statistics
from rag.retrieval.passages import load_passages
from rag.retrieval.relevance import relevance
from rag.types import Filters, Passage, SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Passages in fused order with what reranking them needs."""

    query: AnalysedQuery
    statistics: CorpusStatistics
    passages: tuple[Passage, ...]
    fusion: Mapping[str, Any]


class HybridRetriever:
    """Searches the given collections; whoever calls it has chosen only those that the viewer may read."""

    def __init__(self, *, preset: Preset, lexical: LexicalSettings) -> None:
        self._preset = preset
        self._settings = lexical
        self._legs = LegRunner(preset=preset, settings=lexical)
        self._features = FeaturesReranker()

    def retrieve(self, text: str, *, collections: Sequence[Collection], filters: Filters, top_k: int) -> SearchResult:
        """At most `top_k` passages, best first, each explained."""
        clock = Clock()
        found = self.candidates(text, collections=collections, filters=filters, clock=clock)
        ranked = typed_words_first(found.query, self._ranked(found))
        clock.lap("reranking")
        explainer = WordExplainer(query=found.query, statistics=found.statistics, settings=self._settings)
        by_slug = {collection.slug: collection for collection in collections}
        passages = tuple(_explained(passage, explainer, by_slug[passage.collection]) for passage in ranked[:top_k])
        clock.lap("explanation")
        return SearchResult(
            passages=passages,
            corrections=found.query.corrections,
            chunks_total=found.statistics.chunks,
            latency=clock.laps,
        )

    def signals(self, text: str, *, collections: Sequence[Collection], filters: Filters) -> list[dict[str, float]]:
        """The signals of the passages, in reranked order: what calibration is fitted on."""
        found = self.candidates(text, collections=collections, filters=filters)
        rows = signal_rows(found.query, found.passages, found.statistics)
        order = sorted(zip(self._features.scores(rows), rows, strict=True), key=lambda item: -item[0])
        return [row for _, row in order]

    def _ranked(self, found: Candidates) -> list[Passage]:
        """Best first, with score and relevance."""
        rows = signal_rows(found.query, found.passages, found.statistics)
        scores = [passage.explanation.fusion_score for passage in found.passages]
        if (self._preset.reranker or found.fusion.get("reranker", "features")) == "features":
            scores = self._features.scores(rows)
        middle = found.fusion.get("similarity_middle")
        scored = [
            replace(passage, score=score, relevance=relevance(row, passage.explanation.similarity, middle))
            for passage, score, row in zip(found.passages, scores, rows, strict=True)
        ]
        return sorted(scored, key=lambda passage: -passage.score)

    def candidates(
        self, text: str, *, collections: Sequence[Collection], filters: Filters, clock: Clock | None = None
    ) -> Candidates:
        """What both searches found, fused, before anything is reranked."""
        clock = clock or Clock()
        keys = [collection.pk for collection in collections]
        query = expanded(analyse_query(text, keys), collections)
        statistics = corpus_statistics(keys)
        clock.lap("analysis")
        for phrases in dict.fromkeys((query.phrases, ())):
            where = condition(filters, phrases, query.excluded)
            legs = self._legs.run(query, collections=collections, statistics=statistics, condition=where, clock=clock)
            fused = legs.explained()
            if fused:  # a title quoted in another inflection stands nowhere as quoted; then its words are searched
                break
        loaded = load_passages([chunk for chunk, _ in fused], keys)
        clock.lap("loading")
        passages = tuple(
            replace(loaded[chunk], explanation=explanation) for chunk, explanation in fused if chunk in loaded
        )
        return Candidates(query=query, statistics=statistics, passages=passages, fusion=legs.fusion)


def _explained(passage: Passage, explainer: WordExplainer, collection: Collection) -> Passage:
    weighted = replace(explainer, lemma_weight=collection.lemma_weight, form_weight=collection.form_weight)
    text = searched_text(title=passage.title, headings=passage.heading_path, text=passage.text)
    matches = weighted.matches(analyser().words(text))
    explanation = replace(passage.explanation, words=matches, coverage=weighted.coverage(matches))
    return replace(passage, explanation=explanation)
