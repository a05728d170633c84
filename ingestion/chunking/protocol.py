"""What a chunker promises."""

from collections.abc import Sequence
from typing import Protocol

from ingestion.types import ExtractedText, Span


class Chunker(Protocol):
    """Splits a text into spans in reading order."""

    def split(self, extracted: ExtractedText) -> Sequence[Span]:
        """Every non-space character lies in at least one span; starts never decrease; no span is blank."""
