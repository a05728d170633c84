"""From a preset and the settings to the parts that answer."""

from dataclasses import replace

from ingestion.text.analyser import analyser
from knowledgetree.conf import RAGSettings
from rag.correction.policy import CorrectedSearch
from rag.llm import language_model
from rag.presets import Preset
from rag.protocols import Gathering, Synthesizer
from rag.retrieval.hybrid import HybridRetriever
from rag.synthesis.compact import CompactSynthesizer


def gathering_of(preset: Preset, settings: RAGSettings) -> Gathering:
    return CorrectedSearch(
        retriever=HybridRetriever(preset=preset, lexical=settings.lexical, llm=settings.llm),
        thorough=HybridRetriever(preset=_thorough(preset, settings), lexical=settings.lexical, llm=settings.llm),
        analyser=analyser(),
        settings=settings.correction,
        correct=preset.correction,
    )


def _thorough(preset: Preset, settings: RAGSettings) -> Preset:
    """The second attempt may ask a model for other wordings, where there is one."""
    if not settings.llm.api_key or "multi_query" in preset.transformations:
        return preset
    return replace(preset, transformations=(*preset.transformations, "multi_query"))


def synthesizer_of(preset: Preset, settings: RAGSettings) -> Synthesizer | None:
    """None: the extractive one, which needs no model."""
    if preset.synthesizer == "extractive" or not settings.llm.api_key:
        return None
    llm = replace(settings.llm, model=preset.model or settings.llm.model)
    return CompactSynthesizer(
        llm=language_model(llm),
        analyser=analyser(),
        max_tokens=llm.max_tokens,
        source_tokens=preset.source_tokens or llm.source_tokens,
    )
