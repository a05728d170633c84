"""Plain text, and the text formats that have no extractor of their own yet."""

from ingestion.reading.encoding import decode
from ingestion.reading.failures import require_text
from ingestion.types import ExtractedText, Progress


class PlainTextExtractor:
    """The text as it stands, in whatever encoding it came."""

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        text = require_text(decode(content))
        progress(1, 1)
        return ExtractedText(text=text, extractor="plain")
