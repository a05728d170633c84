"""A search: analyse, run the legs, fuse, and take the passages through the stages that the preset asks for."""

from collections.abc import Sequence
from dataclasses import replace

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors import active_space
from ingestion.selectors.clearance import UNCLEARED, Clearance, opening_in
from knowledgetree.conf import LexicalSettings
from knowledgetree.language_models import LLMSettings
from knowledgetree.search_engine.configuration import SearchEngineSettings
from rag.llm import fast_language_model
from rag.presets import Preset
from rag.search.boosts.asked_thing import AskedThing
from rag.search.boosts.defined import DefinedFirst
from rag.search.boosts.in_force import InForceFirst
from rag.search.boosts.plain_text import PlainTextFirst
from rag.search.boosts.sentences_read import SentencesRead
from rag.search.boosts.stage import Boosting
from rag.search.context import SearchContext, Stage
from rag.search.masking import covered, is_found_by_hidden_words
from rag.search.query.expanded_query import weighed
from rag.search.relevance.relevance import Relevance
from rag.search.reranking.exact_words_first import TypedWordsFirst
from rag.search.reranking.stage import Reranking, with_reranker
from rag.search.results_cache import expanded_query
from rag.search.retrieval.beside import search_under_way
from rag.search.retrieval.clock import Clock
from rag.search.retrieval.dense import cosines
from rag.search.retrieval.filters import chunks_with, condition
from rag.search.retrieval.lexical import corpus_statistics
from rag.search.retrieval.passages import load_passages
from rag.search.stages.breadth import CommunityBreadth
from rag.search.stages.deduplication import Deduplication
from rag.search.stages.explanation import Explaining
from rag.search.stages.extractors import SecondTexts
from rag.search.stages.legs import LegRunner
from rag.search.stages.neighbours import Neighbours
from rag.search.stages.validity import said_when
from rag.search.stages.variants import Variants
from rag.types import Explanation, Filters, Passage, SearchResult
from rag.understanding.meaning.variants import Variant


class HybridRetriever:
    """Searches the given collections; whoever calls it has chosen only those that the viewer may read.

    `space`: the embedding space to search in, the active one where None. `llm`: those of the language model that words
    questions anew and grades passages; None: there is none. `engine`: where candidates are looked for, PostgreSQL where
    None. `result_seconds`: how long an analysed question is kept. `reads_sentences`: the first passages are ordered
    by reading their sentences, which takes as long as the search itself.
    """

    def __init__(
        self,
        *,
        preset: Preset,
        lexical: LexicalSettings,
        engine: SearchEngineSettings | None = None,
        llm: LLMSettings | None = None,
        space: EmbeddingSpace | None = None,
        result_seconds: float = 0.0,
        reads_sentences: bool = False,
    ) -> None:
        self._preset = preset
        self._result_seconds = result_seconds
        self._space = space
        self._llm = llm or LLMSettings()
        self._legs = LegRunner(lexical, engine or SearchEngineSettings())
        self._variants = Variants(self._legs, seconds=self._llm.transformation_seconds)
        self._ranking: Sequence[Stage] = (
            SecondTexts(),
            Deduplication(),
            Reranking(),
            Boosting(),
            InForceFirst(leaves_out=reads_sentences),
            DefinedFirst(),
            SentencesRead() if reads_sentences else AskedThing(),
            PlainTextFirst(),
            TypedWordsFirst(),
            CommunityBreadth(),
        )
        self._showing: Sequence[Stage] = (Relevance(), Explaining(lexical), Neighbours())

    @search_under_way()
    def retrieve(
        self,
        text: str,
        *,
        collections: Sequence[Collection],
        filters: Filters,
        top_k: int,
        intent: str = "unknown",
        variants: Sequence[Variant] = (),
        clearance: Clearance = UNCLEARED,
    ) -> SearchResult:
        """At most `top_k` passages, best first, each explained. `variants` are searched beside the question. Documents
        with readers of their own are searched as `clearance` opens them.
        """
        search = self._opened(text, collections, filters, top_k, intent, clearance)
        passages = self._staged(self._ranking, search, self._found(search, variants))
        passages = self._staged(self._showing, search, with_reranker(search, passages[:top_k]))
        passages = said_when(passages)
        passages = covered(passages, collections)  # what the neighbours brought is read from the document anew
        passages = [passage for passage in passages if not is_found_by_hidden_words(passage)]
        return SearchResult(
            passages=tuple(passages),
            corrections=search.query.corrections,
            chunks_total=search.statistics.chunks - (search.statistics.hidden or 0),
            latency=search.clock.laps,
            usage=search.usage,
            trace=tuple(search.trace),
        )

    def candidates(
        self, text: str, *, collections: Sequence[Collection], filters: Filters, clearance: Clearance = UNCLEARED
    ) -> tuple[SearchContext, list[Passage]]:
        """The search with its passages in fused order, before any stage: what weights are fitted on."""
        search = self._opened(text, collections, filters, top_k=100, intent="unknown", clearance=clearance)
        return search, self._found(search)

    def ranked(
        self, text: str, *, collections: Sequence[Collection], filters: Filters
    ) -> tuple[SearchContext, list[Passage]]:
        """The search with all its passages in their final order, not explained: what relevance is fitted on."""
        search, passages = self.candidates(text, collections=collections, filters=filters)
        return search, with_reranker(search, self._staged(self._ranking, search, passages))

    def _opened(
        self,
        text: str,
        collections: Sequence[Collection],
        filters: Filters,
        top_k: int,
        intent: str,
        clearance: Clearance,
    ) -> SearchContext:
        clock = Clock()
        keys = [collection.pk for collection in collections]
        statistics, opening = corpus_statistics(keys), opening_in(clearance, keys)
        clearance = replace(clearance, opening=opening.found_few(statistics.chunks))
        query = expanded_query(text, collections, seconds=self._result_seconds, clearance=clearance)
        search = SearchContext(
            query=weighed(query, self._preset.lexicon_weight),
            collections=collections,
            statistics=replace(statistics, hidden=opening.hidden),
            filters=filters,
            space=self._space or active_space(),
            preset=self._preset,
            top_k=top_k,
            intent=intent,
            llm=fast_language_model(self._llm),
            clock=clock,
            clearance=clearance,
        )
        clock.lap("analysis")
        return search

    def _found(self, search: SearchContext, given: Sequence[Variant] = ()) -> list[Passage]:
        """In fused order. A document that was indexed anew between finding its chunks and reading them has others now:
        then the search is made once more.
        """
        variants = [*given, *self._variants.worded(search)]
        fused = self._fused(search, variants)
        found = self._loaded(search, fused)
        if len(found) < len(fused):
            found = self._loaded(search, self._fused(search, variants))
        return found

    def _fused(self, search: SearchContext, variants: Sequence[Variant]) -> list[tuple[int, Explanation]]:
        query = search.query
        fused: list[tuple[int, Explanation]] = []
        without = chunks_with(query.excluded, [collection.pk for collection in search.collections])
        for phrases in dict.fromkeys((query.phrases, ())):
            where = condition(search.filters, phrases, without, guarded=query.guarded, clearance=search.clearance)
            own = self._legs.run(search, query, where).explained()
            fused = self._variants.joined(search, own, variants, where)
            if fused:  # a title quoted in another inflection stands nowhere as quoted; then its words are searched
                break
        return fused

    def _loaded(self, search: SearchContext, fused: Sequence[tuple[int, Explanation]]) -> list[Passage]:
        keys = [collection.pk for collection in search.collections]
        found, words = load_passages(dict(fused), keys, clearance=search.clearance)
        shown = covered(found, search.collections)
        as_indexed = {one.chunk_id for one, read in zip(shown, found, strict=True) if one is read}  # nothing is covered
        if search.vector is not None and search.space and search.fusion.get("meaning"):
            unknown = [chunk for chunk, one in fused if one.similarity is None]
            search.cosines = cosines(search.vector, search.space, unknown)
        search.farthest = min((one.similarity for _, one in fused if one.similarity is not None), default=0.0)
        search.indexed = {chunk: terms for chunk, terms in words.items() if chunk in as_indexed}
        search.clock.lap("loading")
        return shown

    def _staged(self, stages: Sequence[Stage], search: SearchContext, passages: list[Passage]) -> list[Passage]:
        for stage in stages:
            passages = stage.apply(search, passages)
            search.clock.lap(stage.name)
        return passages
