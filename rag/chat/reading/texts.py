"""Which text of a document a link speaks of: the document's own, or the one that a second extractor read."""

from dataclasses import dataclass

from ingestion.library.privacy import masked_extraction
from ingestion.models import Chunk, Document, Extraction
from ingestion.selectors import document_texts
from rag.chat.reading.cited_place import CitedPassage, cited_passage, passage_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedText:
    """`covered` is the text without personal data, where the collection covers them; `second` an extractor's name."""

    extraction: Extraction
    covered: str | None
    cited: CitedPassage
    second: str = ""


def cited_text(document: Document, *, start: int, end: int, wanted: str, covers: bool) -> CitedText | None:
    """The first text that has the cited words, else the one whose editor has them, else the document's own.

    None where it has no text. `covers`: personal data are hidden from this reader.
    """
    read: list[CitedText] = []
    for text in document_texts(document):
        covered = _covered(document, text)
        cited = cited_passage(text, start=start, end=end, wanted=wanted, covered=covered, covers=covers)
        read.append(CitedText(extraction=text, covered=covered, cited=cited, second=text.extractor if read else ""))
        if not (cited.gone or cited.correction):
            return read[-1]
    return next((one for one in read if one.cited.correction), read[0] if read else None)


def chunk_text(document: Document, pk: int) -> CitedText | None:
    """The text that chunk `pk` of the document stands in; None where there is no such chunk that is searched."""
    chunk = Chunk.objects.select_related("extraction").filter(pk=pk, document=document, enabled=True).first()
    if chunk is None:
        return None
    texts = document_texts(document)
    second = chunk.extraction.extractor if texts[0].pk != chunk.extraction_id else ""
    covered = _covered(document, chunk.extraction)
    return CitedText(extraction=chunk.extraction, covered=covered, cited=passage_of(chunk), second=second)


def _covered(document: Document, text: Extraction) -> str | None:
    return masked_extraction(text) if document.collection.mask_personal_data else None
