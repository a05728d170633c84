"""A conversation as a Word file (DOCX)."""

from collections.abc import Iterable
from io import BytesIO

from django.utils.translation import get_language, gettext
from docx import Document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt
from docx.text.paragraph import Paragraph

from knowledgetree.pdf.printable import printable
from rag.chat.conversations.files.content import (
    PrintedExchange,
    PrintedSource,
    TableBlock,
    TextBlock,
)

_INDENT = Cm(0.75)
_SMALL = Pt(9)


def as_docx(title: str, exchanges: Iterable[PrintedExchange]) -> bytes:
    """Headings, lists and tables are Word's own, so that the file can be worked on; each source leads to its place."""
    document = Document()
    document.core_properties.title = printable(title)
    document.core_properties.author = "KnowledgeTree"
    document.core_properties.language = get_language() or "pl"
    document.add_heading(printable(title), level=0)
    for exchange in exchanges:
        _add_exchange(document, exchange)
    content = BytesIO()
    document.save(content)
    return content.getvalue()


def _add_exchange(document: WordDocument, exchange: PrintedExchange) -> None:
    document.add_heading(exchange.question, level=1)
    document.add_paragraph().add_run(exchange.asked).font.size = _SMALL
    for block in exchange.blocks:
        if isinstance(block, TableBlock):
            _add_table(document, block)
        else:
            _add_text(document, block)
    if exchange.sources:
        document.add_heading(gettext("Sources"), level=2)
        for source in exchange.sources:
            _add_source(document, source)


def _add_text(document: WordDocument, block: TextBlock) -> None:
    paragraph = document.add_heading(level=2) if block.kind == "heading" else document.add_paragraph()
    if block.kind == "item":
        paragraph.paragraph_format.left_indent = _INDENT * block.depth
        if block.sign:
            paragraph.paragraph_format.first_line_indent = -_INDENT
            paragraph.paragraph_format.tab_stops.add_tab_stop(_INDENT * block.depth)
            paragraph.add_run(f"{block.sign}\t")
    for run in block.runs:
        paragraph.add_run(run.text).bold = run.bold or None


def _add_table(document: WordDocument, block: TableBlock) -> None:
    width = max(map(len, block.rows))
    table = document.add_table(rows=len(block.rows), cols=width, style="Table Grid")
    for row, cells in zip(table.rows, block.rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=False):
            cell.text = text
    for cell in table.rows[0].cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True
    document.add_paragraph()


def _add_source(document: WordDocument, source: PrintedSource) -> None:
    paragraph = document.add_paragraph(f"[{source.number}] ")
    if source.address:
        _add_link(paragraph, source.title, source.address)
    else:
        paragraph.add_run(f"{source.title} ({gettext('no longer in the knowledge base')})")
    if source.place:
        paragraph.add_run(f", {source.place}")
    quote = document.add_paragraph(style="Quote")
    quote.paragraph_format.left_indent = _INDENT
    quote.add_run(source.quote).font.size = _SMALL


def _add_link(paragraph: Paragraph, text: str, address: str) -> None:
    """The library has no links of its own: a relationship of the file, and an element that names it."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run = paragraph.add_run(text)
    run.underline = True
    link.append(run._r)
    paragraph._p.append(link)
