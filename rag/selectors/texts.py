"""Which text of a document a link speaks of: the document's own, or the one that a second extractor read."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.library.privacy import masked_extraction
from ingestion.models import Chunk, Extraction
from ingestion.text.personal_data.masking import masked
from rag.selectors.cited_place import CitedPassage, cited_passage, passage_of
from rag.selectors.documents import ShownDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownText:
    """A text as its viewer may see it, with what the link cites of it.

    `second`: the name of the extractor, where it is not the document's own text. `checksum` is the file's it was read
    from. `covers`: personal data are covered in it.
    """

    extraction: int
    text: str
    extractor: str
    page_starts: Sequence[int]
    checksum: str
    cited: CitedPassage
    covers: bool
    second: str = ""

    def headings(self) -> list[tuple[int, tuple[str, ...]]]:
        """The character where each chunk begins, with the headings above it. One query."""
        chunks = Chunk.objects.filter(extraction=self.extraction).order_by("start")
        paths = [(start, tuple(path)) for start, path in chunks.values_list("start", "heading_path")]
        told = {part: masked(part) if self.covers else part for _, path in paths for part in path}
        return [(start, tuple(told[part] for part in path)) for start, path in paths]


def cited_text(document: ShownDocument, *, start: int, end: int, wanted: str) -> ShownText | None:
    """The first text that has the cited words, else the one whose editor has them, else the document's own.

    None where it has no text.
    """
    read: list[ShownText] = []
    for text in _texts(document):
        covered, covers = _covered(document, text), document.covers
        cited = cited_passage(text, start=start, end=end, wanted=wanted, covered=covered, covers=covers)
        read.append(_shown(text, covered, cited, covers, second=text.extractor if read else ""))
        if not (cited.gone or cited.correction):
            return read[-1]
    return next((one for one in read if one.cited.correction), read[0] if read else None)


def chunk_text(document: ShownDocument, pk: int) -> ShownText | None:
    """The text that chunk `pk` of the document stands in; None where there is no such chunk that is searched."""
    chunk = Chunk.objects.select_related("extraction").filter(pk=pk, document=document.pk, enabled=True).first()
    if chunk is None:
        return None
    second = chunk.extraction.extractor if _texts(document)[0].pk != chunk.extraction_id else ""
    covered, covers = _covered(document, chunk.extraction), document.covers
    return _shown(chunk.extraction, covered, passage_of(chunk, covers=covers), covers, second=second)


def _texts(document: ShownDocument) -> list[Extraction]:
    """Its own, and after it the one that a second extractor read, where there is one."""
    return list(Extraction.objects.filter(document=document.pk).order_by("pk"))


def _shown(text: Extraction, covered: str | None, cited: CitedPassage, covers: bool, *, second: str) -> ShownText:
    return ShownText(
        extraction=text.pk,
        text=covered if covers and covered is not None else text.text,
        extractor=text.extractor,
        page_starts=text.page_starts,
        checksum=text.checksum,
        cited=cited,
        covers=covers,
        second=second,
    )


def _covered(document: ShownDocument, text: Extraction) -> str | None:
    """The text as those see it for whom its collection covers personal data; None where it does so for nobody."""
    return masked_extraction(text) if document.collection.mask_personal_data else None
