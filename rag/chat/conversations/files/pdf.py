"""A conversation as a PDF, with letters of every European language in it."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from django.utils.translation import get_language, gettext
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Table, TableStyle

from rag.chat.conversations.files.content import (
    PrintedExchange,
    PrintedSource,
    TableBlock,
    TextBlock,
    printable,
)

_FONTS = Path(__file__).parent / "fonts"
_MARGIN = 20 * mm
_MUTED, _LINE, _LINK = HexColor("#5c6660"), HexColor("#c9d1cc"), "#1f6b47"
_BODY = ParagraphStyle("body", fontName="Tree", fontSize=10.5, leading=15.5, spaceAfter=6)
_TITLE = ParagraphStyle("title", _BODY, fontName="Tree-Bold", fontSize=18, leading=23, spaceAfter=12)
_QUESTION = ParagraphStyle(
    "question", _BODY, fontName="Tree-Bold", fontSize=13.5, leading=18, spaceBefore=16, spaceAfter=2, keepWithNext=1
)
_SECTION = ParagraphStyle("section", _BODY, fontName="Tree-Bold", spaceBefore=8, spaceAfter=3, keepWithNext=1)
_SMALL = ParagraphStyle("small", _BODY, fontSize=8.5, leading=12, textColor=_MUTED)
_CELL = ParagraphStyle("cell", _BODY, fontSize=9, leading=12, spaceAfter=0)
_QUOTE = ParagraphStyle("quote", _SMALL, leftIndent=7 * mm)
_GRID = TableStyle([
    ("GRID", (0, 0), (-1, -1), 0.5, _LINE),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("BACKGROUND", (0, 0), (-1, 0), HexColor("#f0f4f1")),
])  # fmt: skip


def as_pdf(title: str, exchanges: Iterable[PrintedExchange]) -> bytes:
    """Pages of A4; each source leads to its place in the knowledge base."""
    _register_fonts()
    content = BytesIO()
    document = SimpleDocTemplate(
        content, pagesize=A4, leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN,
        title=printable(title), author="KnowledgeTree", lang=get_language() or "pl",
    )  # fmt: skip
    story = [Paragraph(escape(printable(title)), _TITLE)]
    for exchange in exchanges:
        story.extend(_exchange(exchange, document.width))
    document.build(story, onFirstPage=_draw_number, onLaterPages=_draw_number)
    return content.getvalue()


@lru_cache(maxsize=1)
def _register_fonts() -> None:
    registerFont(TTFont("Tree", _FONTS / "DejaVuSans.ttf"))
    registerFont(TTFont("Tree-Bold", _FONTS / "DejaVuSans-Bold.ttf"))
    registerFontFamily("Tree", normal="Tree", bold="Tree-Bold", italic="Tree", boldItalic="Tree-Bold")


def _draw_number(canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.setFont("Tree", 8)
    canvas.setFillColor(_MUTED)
    canvas.drawRightString(A4[0] - _MARGIN, 10 * mm, gettext("Page %(number)s") % {"number": document.page})


def _exchange(exchange: PrintedExchange, width: float) -> Iterator[Flowable]:
    yield Paragraph(escape(exchange.question), _QUESTION)
    yield Paragraph(escape(exchange.asked), _SMALL)
    for block in exchange.blocks:
        yield _table(block, width) if isinstance(block, TableBlock) else _text(block)
    if exchange.sources:
        yield Paragraph(escape(gettext("Sources")), _SECTION)
        for source in exchange.sources:
            yield Paragraph(_source_line(source), ParagraphStyle("source", _BODY, spaceAfter=1, keepWithNext=1))
            yield Paragraph(escape(source.quote), _QUOTE)


def _text(block: TextBlock) -> Paragraph:
    pieces = (escape(run.text).replace("\n", "<br/>") for run in block.runs)
    text = "".join(f"<b>{piece}</b>" if run.bold else piece for run, piece in zip(block.runs, pieces, strict=True))
    if block.kind == "item":
        indent = 6 * mm * block.depth
        style = ParagraphStyle(
            "item", _BODY, leftIndent=indent, bulletIndent=indent - 6 * mm, spaceAfter=3, bulletFontName="Tree"
        )
        return Paragraph(text, style, bulletText=block.sign or None)
    return Paragraph(text, _SECTION if block.kind == "heading" else _BODY)


def _table(block: TableBlock, width: float) -> Table:
    columns = max(map(len, block.rows))
    cells = [[Paragraph(escape(cell), _CELL) for cell in row] + [""] * (columns - len(row)) for row in block.rows]
    return Table(
        cells, colWidths=[width / columns] * columns, style=_GRID, repeatRows=1, splitInRow=1, spaceAfter=8
    )  # a cell may be higher than a page


def _source_line(source: PrintedSource) -> str:
    title = escape(source.title)
    if source.address:
        title = f'<link href={quoteattr(source.address)} color="{_LINK}">{title}</link>'
    else:
        title = f"{title} ({escape(gettext('no longer in the knowledge base'))})"
    place = f", {escape(source.place)}" if source.place else ""
    return f"[{source.number}] {title}{place}"
