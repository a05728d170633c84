"""A conversation as a PDF."""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from django.utils.translation import gettext
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph

from knowledgetree.pdf.pages import BODY, HEADING, SECTION, SMALL, pdf_of, plain, table
from rag.chat.conversations.files.content import PrintedExchange, PrintedSource, TableBlock, TextBlock

_LINK = "#1f6b47"
_QUOTE = ParagraphStyle("quote", SMALL, leftIndent=7 * mm)
_SOURCE = ParagraphStyle("source", BODY, spaceAfter=1, keepWithNext=1)


def as_pdf(title: str, exchanges: Iterable[PrintedExchange]) -> bytes:
    """Each source leads to its place in the knowledge base."""
    return pdf_of(title, (part for exchange in exchanges for part in _exchange(exchange)))


def _exchange(exchange: PrintedExchange) -> Iterator[Flowable]:
    yield plain(exchange.question, HEADING)
    yield plain(exchange.asked, SMALL)
    for block in exchange.blocks:
        yield table(block.rows) if isinstance(block, TableBlock) else _text(block)
    if exchange.sources:
        yield plain(gettext("Sources"), SECTION)
        for source in exchange.sources:
            yield Paragraph(_source_line(source), _SOURCE)
            yield plain(source.quote, _QUOTE)


def _text(block: TextBlock) -> Paragraph:
    pieces = (escape(run.text).replace("\n", "<br/>") for run in block.runs)
    text = "".join(f"<b>{piece}</b>" if run.bold else piece for run, piece in zip(block.runs, pieces, strict=True))
    if block.kind == "item":
        indent = 6 * mm * block.depth
        style = ParagraphStyle(
            "item", BODY, leftIndent=indent, bulletIndent=indent - 6 * mm, spaceAfter=3, bulletFontName="Tree"
        )
        return Paragraph(text, style, bulletText=block.sign or None)
    return Paragraph(text, SECTION if block.kind == "heading" else BODY)


def _source_line(source: PrintedSource) -> str:
    title = escape(source.title)
    if source.address:
        title = f'<link href={quoteattr(source.address)} color="{_LINK}">{title}</link>'
    else:
        title = f"{title} ({escape(gettext('no longer in the knowledge base'))})"
    place = f", {escape(source.place)}" if source.place else ""
    return f"[{source.number}] {title}{place}"
