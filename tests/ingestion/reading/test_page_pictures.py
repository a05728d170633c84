"""A page of a PDF is painted as it looks, and quoted words are found on it."""

from io import BytesIO

import pytest
from PIL import Image

from ingestion.errors import CorruptDocument, EncryptedDocument
from ingestion.reading.formats.pdf.page_pictures import marked_page, painted_page
from ingestion.reading.formats.pdf.pdf import PdfExtractor
from ingestion.types import MarkedPage, Rectangle, no_progress
from tests.ingestion.reading.pdf_files import Print, paragraph, pdf
from tests.ingestion.reading.sandbox.hostile_pages import pdf_objects

LINES = [
    "Pracownik zatrudniony na podstawie umowy o pracę ma prawo do corocz-",
    "nego, nieprzerwanego, płatnego urlopu wypoczynkowego w wymiarze 26 dni.",
    "Wniosek składa się w kadrach.",
]
FILE = pdf([paragraph(LINES)])


def marked(content: bytes, quote: str, *, page: int = 1, nth: int = 0) -> MarkedPage:
    """Where the quote, found in what was extracted from the page, stands."""
    whole = PdfExtractor(lambda: None).extract(content, name="a.pdf", progress=no_progress)
    place = whole.pages[page - 1]
    text = whole.text[place.start : place.end]
    start = -1
    for _ in range(nth + 1):
        start = text.index(quote, start + 1)
    return marked_page(content, page=page, text=text, start=start, end=start + len(quote))


def covers(rectangle: Rectangle, x: float, y: float) -> bool:
    """Whether it has the point (x, y) of an A4 page, in points from the bottom left, in it."""
    across, down = x / 595, 1 - y / 842
    inside = rectangle.left <= across <= rectangle.left + rectangle.width
    return inside and rectangle.top <= down <= rectangle.top + rectangle.height


class TestThePicture:
    def test_it_has_the_width_that_was_asked_for_and_the_shape_of_the_page(self) -> None:
        picture = Image.open(BytesIO(painted_page(FILE, page=1, width=800)))
        assert (picture.format, picture.width) == ("WEBP", 800)
        assert picture.height == pytest.approx(800 * 842 / 595, abs=1)

    def test_it_shows_what_stands_on_the_page(self) -> None:
        picture = Image.open(BytesIO(painted_page(FILE, page=1, width=800))).convert("L")
        top = round(picture.height * (1 - 710 / 842))
        assert picture.crop((0, top, 800, top + 30)).getextrema()[0] < 80, "letters"
        assert picture.crop((0, 0, 800, top - 20)).getextrema()[0] > 240, "paper"

    def test_a_strip_is_painted_smaller(self) -> None:
        strip = pdf_objects(
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 14000] >>",
        )
        picture = Image.open(BytesIO(painted_page(strip, page=1, width=1600)))
        assert picture.height <= 16_001
        assert picture.width < 100

    @pytest.mark.parametrize("page", [0, 2])
    def test_a_page_that_is_not_there_is_an_error(self, page: int) -> None:
        with pytest.raises(CorruptDocument):
            painted_page(FILE, page=page, width=800)

    def test_a_file_with_a_password_is_an_error(self) -> None:
        with pytest.raises(EncryptedDocument):
            painted_page(pdf([paragraph(LINES)], encrypted=True), page=1, width=800)


class TestThePlaces:
    def test_the_page_has_its_size(self) -> None:
        page = marked(FILE, "Wniosek")
        assert (page.width, page.height) == (595, 842)

    def test_words_of_one_line_are_one_rectangle(self) -> None:
        (found,) = marked(FILE, "Wniosek składa się").rectangles
        assert covers(found, 80, 700 - 26 + 3)
        assert not covers(found, 80, 700 - 13 + 3)
        assert not covers(found, 230, 700 - 26 + 3), "the rest of the line is not marked"

    def test_a_quote_over_lines_with_a_cut_word_has_a_rectangle_for_each(self) -> None:
        first, second = marked(FILE, "prawo do corocznego, nieprzerwanego").rectangles
        assert covers(first, 400, 703)
        assert not covers(first, 100, 703)
        assert covers(second, 80, 690)

    def test_of_two_places_that_say_the_same_the_cited_one_is_marked(self) -> None:
        twice = pdf([paragraph(["Urlop trwa 26 dni.", *LINES[1:], "Inny urlop trwa 26 dni."])])
        (first,) = marked(twice, "26 dni", nth=0).rectangles
        (last,) = marked(twice, "26 dni", nth=2).rectangles
        assert covers(first, 135, 703)
        assert covers(last, 155, 700 - 39 + 3)

    def test_the_cells_of_a_row_are_marked_though_the_text_has_bars_between_them(self) -> None:
        rows = [
            Print(one, x=72 + 150 * column, y=700 - 20 * row)
            for row, cells in enumerate([("Stawka", "Kwota", "Termin"), ("parkowanie", "4,50", "do piatku")])
            for column, one in enumerate(cells)
        ]
        text = "| Stawka | Kwota | Termin |\n|---|---|---|\n| parkowanie | 4,50 | do piatku |\n"
        start = text.index("| parkowanie")
        page = marked_page(pdf([rows]), page=1, text=text, start=start, end=len(text))
        assert [any(covers(one, x, 683) for one in page.rectangles) for x in (80, 225, 375)] == [True] * 3
        assert not any(covers(one, 80, 703) for one in page.rectangles)

    def test_a_word_that_the_page_has_otherwise_does_not_lose_the_others(self) -> None:
        text = LINES[2].replace("składa się", "XYZ")
        found = marked_page(FILE, page=1, text=text, start=0, end=len(text)).rectangles
        assert any(covers(one, 80, 677) for one in found)

    def test_words_that_are_not_in_the_text_layer_have_no_place(self) -> None:
        text = "Tego na stronie nie ma."
        assert marked_page(FILE, page=1, text=text, start=0, end=len(text)).rectangles == ()
        scan = pdf([[]])
        assert marked_page(scan, page=1, text=text, start=0, end=len(text)).rectangles == ()

    def test_an_empty_quote_has_no_place(self) -> None:
        assert marked_page(FILE, page=1, text="Wniosek", start=3, end=3).rectangles == ()

    def test_places_on_a_turned_page_are_those_that_one_sees(self) -> None:
        turned = FILE.replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [0 0 595 842] /Rotate 90")
        page = marked_page(turned, page=1, text=LINES[2], start=0, end=7)
        assert (page.width, page.height) == (842, 595)
        assert page.rectangles
        assert all(one.left > 0.7 and one.top < 0.3 for one in page.rectangles)
