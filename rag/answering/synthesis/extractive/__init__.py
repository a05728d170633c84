"""Answers without a language model."""

from rag.answering.synthesis.extractive.synthesizer import ExtractiveSynthesizer

__all__ = ["ExtractiveSynthesizer"]
