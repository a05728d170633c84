"""From a preset and the settings to the parts that answer."""

from typing import Any

from knowledgetree.conf import RAGSettings, ResearchSettings
from rag.answering.context.section_reader import SectionReader
from rag.answering.correction.policy import CorrectedSearch
from rag.answering.correction.web_search import web_passages
from rag.answering.gathering import Gathering
from rag.answering.pipeline.checking import Checking
from rag.answering.research.agentic import AgenticResearch
from rag.answering.research.planned import PlannedResearch
from rag.answering.synthesis.choice import reading_characters
from rag.llm import fast_language_model, step_model
from rag.presets import Preset
from rag.search.retriever import HybridRetriever
from rag.understanding.meaning.together import transformations
from rag.understanding.meaning.transformation import Transformation


def gathering_of(
    preset: Preset, settings: RAGSettings, *, search: Gathering, lookup: Gathering, reading: SectionReader
) -> Gathering:
    """`search` alone, or a research that looks up more after it; an agent's needs a language model."""
    if preset.research == "off":
        return search
    limits = _limits(preset, settings.research)
    agent = step_model(settings.llm, "tools") if preset.asks_model else None
    if preset.research == "agentic" and agent and agent.capabilities.tools is not False:
        return AgenticResearch(search=search, lookup=lookup, llm=agent, settings=limits)
    planner = step_model(settings.llm, "planning") if preset.asks_model else None
    return PlannedResearch(search=search, lookup=lookup, reading=reading, settings=limits, llm=planner)


def _limits(preset: Preset, settings: ResearchSettings) -> ResearchSettings:
    return ResearchSettings(
        seconds=preset.research_seconds or settings.seconds,
        queries=preset.research_queries or settings.queries,
    )


def checking_of(preset: Preset, settings: RAGSettings) -> Checking:
    llm = step_model(settings.llm, "verification") if preset.asks_model else None
    return Checking(
        critic=llm if preset.critique else None,
        llm=llm if preset.verification == "llm" else None,
        seconds=settings.llm.step_seconds,
    )


def plain_search(preset: Preset, settings: RAGSettings) -> CorrectedSearch:
    """For what a model words itself after it has read: the words are the documents' already."""
    return CorrectedSearch(retriever=_retriever(preset, settings), settings=settings.correction, correct=False)


def corrected_search(preset: Preset, settings: RAGSettings) -> CorrectedSearch:
    return CorrectedSearch(
        retriever=_retriever(preset, settings),
        settings=settings.correction,
        correct=preset.correction,
        wording=_wording(preset, settings),
        seconds=settings.llm.transformation_seconds,
        web=web_passages(),
    )


def _retriever(preset: Preset, settings: RAGSettings) -> HybridRetriever:
    return HybridRetriever(
        preset=preset,
        lexical=settings.lexical,
        engine=settings.search_engine,
        llm=settings.llm,
        result_seconds=settings.caches.result_seconds,
        reads_sentences=True,
    )


def _wording(preset: Preset, settings: RAGSettings) -> Transformation[Any] | None:
    """Asks a model for other words, where one reads what they find."""
    llm = fast_language_model(settings.llm) if reading_characters(preset, settings.llm) else None
    return transformations(["multi_query"], llm)[0] if llm else None
