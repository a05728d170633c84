"""Which text of a document a link speaks of: the document's own, or the one that a second extractor read."""

from dataclasses import dataclass

from ingestion.models import Document, Extraction
from ingestion.privacy import masked_extraction
from ingestion.selectors import document_texts
from rag.chat.reading.cited import CitedPassage, cited_passage


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedText:
    """`covered` is the text without personal data, where the collection covers them; `second` an extractor's name."""

    extraction: Extraction
    covered: str | None
    cited: CitedPassage
    second: str = ""


def cited_text(document: Document, *, start: int, end: int, wanted: str) -> CitedText | None:
    """The first text that has the cited words, else the document's own; None where it has no text."""
    own: CitedText | None = None
    for text in document_texts(document):
        read = _read(document, text, start, end, wanted, second=own is not None)
        if not read.cited.lost:
            return read
        own = own or read
    return own


def _read(document: Document, text: Extraction, start: int, end: int, wanted: str, *, second: bool) -> CitedText:
    covered = masked_extraction(text) if document.collection.mask_personal_data else None
    return CitedText(
        extraction=text,
        covered=covered,
        cited=cited_passage(text, start=start, end=end, wanted=wanted, covered=covered),
        second=text.extractor if second else "",
    )
