"""Pages of A4 in the house's style: what each kind of file puts its text into."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

from django.utils.translation import get_language, gettext
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Table, TableStyle

from knowledgetree.pdf.printable import printable

_FONTS = Path(__file__).parent / "fonts"
_MARGIN = 20 * mm
_MUTED, _LINE = HexColor("#5c6660"), HexColor("#c9d1cc")
_GRID = TableStyle([
    ("GRID", (0, 0), (-1, -1), 0.5, _LINE),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("BACKGROUND", (0, 0), (-1, 0), HexColor("#f0f4f1")),
])  # fmt: skip
_PAIRS = TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("LINEBELOW", (0, 0), (-1, -1), 0.5, _LINE)])

BODY = ParagraphStyle("body", fontName="Tree", fontSize=10.5, leading=15.5, spaceAfter=6)
TITLE = ParagraphStyle("title", BODY, fontName="Tree-Bold", fontSize=18, leading=23, spaceAfter=12)
HEADING = ParagraphStyle(
    "heading", BODY, fontName="Tree-Bold", fontSize=13.5, leading=18, spaceBefore=16, spaceAfter=2, keepWithNext=1
)
SECTION = ParagraphStyle("section", BODY, fontName="Tree-Bold", spaceBefore=8, spaceAfter=3, keepWithNext=1)
SMALL = ParagraphStyle("small", BODY, fontSize=8.5, leading=12, textColor=_MUTED)
_CELL = ParagraphStyle("cell", BODY, fontSize=9, leading=12, spaceAfter=0)
_LABEL = ParagraphStyle("label", _CELL, fontName="Tree-Bold")
WIDTH = A4[0] - 2 * _MARGIN


def pdf_of(title: str, story: Iterable[Flowable]) -> bytes:
    """A file of the title and what `story` yields, its pages numbered."""
    _register_fonts()
    content = BytesIO()
    document = SimpleDocTemplate(
        content, pagesize=A4, leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN,
        title=printable(title), author="KnowledgeTree", lang=get_language() or "pl",
    )  # fmt: skip
    document.build([plain(title, TITLE), *story], onFirstPage=_draw_number, onLaterPages=_draw_number)
    return content.getvalue()


def plain(text: str, style: ParagraphStyle = BODY) -> Paragraph:
    """A paragraph of the text as it is, whatever signs are in it."""
    return Paragraph(escape(printable(text)).replace("\n", "<br/>"), style)


def table(rows: Sequence[Sequence[str]]) -> Table:
    """The first row is the head."""
    columns = max(map(len, rows))
    cells = [[plain(cell, _CELL) for cell in row] + [""] * (columns - len(row)) for row in rows]
    return Table(
        cells, colWidths=[WIDTH / columns] * columns, style=_GRID, repeatRows=1, splitInRow=1, spaceAfter=8
    )  # a cell may be higher than a page


def pairs(rows: Iterable[tuple[str, str]]) -> Table:
    """What each row is called, and what it says."""
    cells = [[plain(label, _LABEL), plain(text, _CELL)] for label, text in rows]
    return Table(cells, colWidths=[WIDTH * 0.28, WIDTH * 0.72], style=_PAIRS, splitInRow=1, spaceAfter=8)


@lru_cache(maxsize=1)
def _register_fonts() -> None:
    registerFont(TTFont("Tree", _FONTS / "DejaVuSans.ttf"))
    registerFont(TTFont("Tree-Bold", _FONTS / "DejaVuSans-Bold.ttf"))
    registerFontFamily("Tree", normal="Tree", bold="Tree-Bold", italic="Tree", boldItalic="Tree-Bold")


def _draw_number(canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.setFont("Tree", 8)
    canvas.setFillColor(_MUTED)
    canvas.drawRightString(A4[0] - _MARGIN, 10 * mm, gettext("Page %(number)s") % {"number": document.page})
