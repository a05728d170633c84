"""The page of a PDF that a passage stands on, as the document page shows it above the text."""

from bisect import bisect_right
from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.utils.safestring import mark_safe

from ingestion.library.pictures import WIDTHS, has_pictures, marked_page
from ingestion.models import Document
from ingestion.types import MarkedPage
from rag.chat.reading.highlighting import HighlightedText
from rag.selectors.texts import ShownText

_SHOWN_WIDTH = WIDTHS[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFigure:
    """Page `number` of `total`; `number` is 0 where nobody asked for one. `page` is None where it cannot be painted.

    `chosen`: the reader turned to it; otherwise it is where the passage begins. `anchor`: the id of what is marked.
    `zoomed`: it is shown larger than the column, to be moved about.
    """

    number: int
    total: int
    page: MarkedPage | None = None
    chosen: bool = False
    anchor: str = "cytat"
    zoomed: bool = False

    @property
    def widths(self) -> tuple[int, ...]:
        return WIDTHS

    @property
    def width(self) -> int:
        return _SHOWN_WIDTH

    @property
    def height(self) -> int:
        return round(_SHOWN_WIDTH * self.page.height / self.page.width) if self.page else 0

    @property
    def sizes(self) -> str:
        """How wide the picture is shown, for the browser to choose the file."""
        return "100rem" if self.zoomed else "(max-width: 46rem) 100vw, 46rem"

    @property
    def kept_zoom(self) -> str:
        """What the links to other pages say of it."""
        return "&zoom=1" if self.zoomed else ""

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def following(self) -> int | None:
        return self.number + 1 if self.number < self.total else None

    @property
    def anchored(self) -> str:
        """What a link to the passage scrolls to: its "marks" on the page, the "page", or the "text" where a scan has
        no words to mark.
        """
        if self.page is not None and self.page.rectangles:
            return "marks"
        return "page" if self.chosen else "text"


def page_figure(request: HttpRequest, document: Document, text: ShownText) -> PageFigure | None:
    """None where there are no pages to show: no PDF, or one that is not the file the text was read from.

    The parameter `page` of the request names a page, else it is that of the passage; with `zoom` it is enlarged.
    """
    total, cited = len(text.page_starts), text.cited
    if not total or not is_text_of(document, text) or not has_pictures(document):
        return None
    wanted = chosen_page(request)
    chosen = 1 <= wanted <= total
    if not chosen and cited.end <= cited.start and not cited.gone:
        return PageFigure(number=0, total=total)
    number = wanted if chosen else page_at(text, cited.start)
    page = marks_on(document, text, number)
    anchor = "miejsce" if cited.correction else "cytat"
    zoomed = "zoom" in request.GET and page is not None
    return PageFigure(number=number, total=total, page=page, chosen=chosen, anchor=anchor, zoomed=zoomed)


def is_text_of(document: Document, text: ShownText) -> bool:
    """Whether `text` was read from the file that `document` has now, so that its pages are the file's."""
    return text.checksum in ("", document.checksum)


def chosen_page(request: HttpRequest) -> int:
    """The parameter `page`; 0 where it names none."""
    wanted = request.GET.get("page", "")
    return int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 7 else 0


def page_at(text: ShownText, position: int) -> int:
    """The page, counted from 1, that the character at `position` stands on."""
    return max(1, bisect_right(text.page_starts, position))


def marks_on(document: Document, text: ShownText, number: int) -> MarkedPage | None:
    """Page `number` with the places of the cited words on it; None where it cannot be painted."""
    cited = text.cited
    starts = [*text.page_starts, len(text.text)]
    begin, close = starts[number - 1], starts[number]
    start, end = max(cited.start, begin) - begin, min(cited.end, close) - begin
    return marked_page(document, page=number, text=text.text[begin:close], start=start, end=max(start, end))


def below(figure: PageFigure | None, text: HighlightedText) -> HighlightedText:
    """`text` under the figure: where that has the anchor of the passage, the mark in the text has one of its own."""
    if figure is None or figure.anchored == "text":
        return text
    html = text.html.replace(f' id="{figure.anchor}"', f' id="{figure.anchor}-w-tekscie"', 1)
    return replace(text, html=mark_safe(html))
