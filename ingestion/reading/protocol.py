"""What a reader of a format promises."""

from typing import Protocol

from ingestion.types import ExtractedText, Progress


class Extractor(Protocol):
    """Turns the bytes of one file into text with structure and pages."""

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        """The text of `content`, never empty; `name` is the file name, for its suffix and as a last-resort title.

        Raises a subclass of `ingestion.errors.ExtractionError`, and nothing else, for input it cannot read.
        """
