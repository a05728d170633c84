"""Answers without a language model."""

from rag.synthesis.extractive.synthesizer import ExtractiveSynthesizer

__all__ = ["ExtractiveSynthesizer"]
