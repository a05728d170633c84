"""From a preset to the synthesizer that it names."""

from dataclasses import replace

from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from knowledgetree.language_models import LLMSettings
from rag.answering.synthesis import refine, tree
from rag.answering.synthesis.compact import CompactSynthesizer
from rag.answering.synthesis.extractive import ExtractiveSynthesizer
from rag.answering.synthesis.protocol import Synthesizer
from rag.answering.synthesis.refine import RefineSynthesizer
from rag.answering.synthesis.tree import TreeSynthesizer
from rag.llm import language_model
from rag.presets import Preset

_BATCHES = {"compact": 1, "refine": refine.MAX_BATCHES, "tree_summarize": tree.MAX_BATCHES}
"""Prompts full of sources that a synthesizer makes at most."""


def reading_characters(preset: Preset, settings: LLMSettings) -> int:
    """How much of the documents the preset's synthesizer reads for an answer; 0 where no model writes it."""
    if preset.synthesizer == "extractive" or not settings.configured:
        return 0
    tokens = (preset.source_tokens or settings.source_tokens) * _BATCHES[preset.synthesizer]
    return tokens * CHARACTERS_PER_TOKEN


def synthesizer_for(preset: Preset, settings: LLMSettings, *, max_tokens: int | None = None) -> Synthesizer:
    """The preset's, or the extractive one without a model. `max_tokens` of this answer: None as in the settings."""
    if preset.synthesizer == "extractive" or not settings.configured:
        return ExtractiveSynthesizer()
    answering = settings.for_step("answer")
    llm = language_model(replace(answering, model=preset.model or answering.model))
    longest = min(max_tokens or settings.max_tokens, settings.max_tokens)
    source_tokens = preset.source_tokens or settings.source_tokens
    if preset.synthesizer == "refine":
        return RefineSynthesizer(llm=llm, max_tokens=longest, source_tokens=source_tokens)
    if preset.synthesizer == "tree_summarize":
        return TreeSynthesizer(llm=llm, max_tokens=longest, source_tokens=source_tokens, seconds=settings.timeout)
    return CompactSynthesizer(llm=llm, max_tokens=longest, source_tokens=source_tokens)
