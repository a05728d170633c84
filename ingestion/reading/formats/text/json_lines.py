"""JSON Lines: one record a line, each written out as JSON files are."""

from collections.abc import Iterator

from ingestion.reading.encoding import clean, decode
from ingestion.reading.failures import require_text
from ingestion.reading.formats.text.json_text import indented
from ingestion.types import ExtractedText, Progress


class JsonLinesExtractor:
    """A block of lines for each record, an empty line between them; a line that is no JSON stays as it stands."""

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        text = require_text(clean("\n\n".join(_records(decode(content)))))
        progress(1, 1)
        return ExtractedText(text=text, extractor="json_lines")


def _records(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip():
            try:
                yield indented(line)
            except (ValueError, RecursionError):
                yield line
