"""RTF: headings, paragraphs, list marks, tables and footnotes."""

from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.rtf.reader import RtfReader
from ingestion.reading.formats.text.markdown import first_heading
from ingestion.types import ExtractedText, Progress


class RtfExtractor:
    """Left out: pictures, comments, headers and footers, hidden and deleted text. Raises Corrupt-, EmptyDocument."""

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("RTF"):
            reader = RtfReader()
            blocks = reader.read(content.decode("latin-1"))  # RTF is ASCII; other bytes count in the file's code page
            text = clean("\n\n".join(blocks))
            title = clean(" ".join(reader.title.split()))
        progress(1, 1)
        text = require_text(text)
        return ExtractedText(text=text, extractor="rtf", title=title or first_heading(text))
