"""From a preset and the settings to the parts that answer."""

from dataclasses import replace

from ingestion.text.analyser import analyser
from knowledgetree.conf import RAGSettings
from rag.correction.policy import CorrectedSearch
from rag.correction.web_search import web_passages
from rag.llm import step_model
from rag.pipeline.checking import Checking
from rag.presets import Preset
from rag.protocols import Gathering
from rag.research.agentic import AgenticResearch
from rag.research.planned import PlannedResearch
from rag.retrieval.hybrid import HybridRetriever
from rag.synthesis.extractive import ExtractiveSynthesizer


def gathering_of(preset: Preset, settings: RAGSettings) -> Gathering:
    """One corrected search, or a research that makes several; an agent's needs a language model."""
    search = _corrected_search(preset, settings)
    llm = step_model(settings.llm, "tools") if preset.asks_model else None
    if preset.research == "agentic" and llm:
        return AgenticResearch(search=search, llm=llm, settings=settings.research)
    if preset.research != "off":
        notes = ExtractiveSynthesizer(analyser=analyser())
        planner = step_model(settings.llm, "planning") if preset.asks_model else None
        return PlannedResearch(search=search, notes=notes, settings=settings.research, llm=planner)
    return search


def checking_of(preset: Preset, settings: RAGSettings) -> Checking:
    asked = preset.verification == "llm" and preset.asks_model
    llm = step_model(settings.llm, "verification") if asked else None
    return Checking(llm=llm, seconds=settings.llm.step_seconds)


def _corrected_search(preset: Preset, settings: RAGSettings) -> CorrectedSearch:
    return CorrectedSearch(
        retriever=_retriever(preset, settings),
        thorough=_retriever(_thorough(preset, settings), settings),
        analyser=analyser(),
        settings=settings.correction,
        correct=preset.correction,
        web=web_passages(),
    )


def _retriever(preset: Preset, settings: RAGSettings) -> HybridRetriever:
    return HybridRetriever(
        preset=preset,
        lexical=settings.lexical,
        llm=settings.llm,
        result_seconds=settings.caches.result_seconds,
    )


def _thorough(preset: Preset, settings: RAGSettings) -> Preset:
    """The second attempt may ask a model for other wordings, where there is one."""
    if not (settings.llm.api_key and preset.asks_model) or "multi_query" in preset.transformations:
        return preset
    return replace(preset, transformations=(*preset.transformations, "multi_query"))
