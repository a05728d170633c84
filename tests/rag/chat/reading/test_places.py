"""Pages and lines of what is cited."""

from django.test import Client
from django.utils import translation

from ingestion.models import Collection, Extraction
from rag.chat.reading.documents import CitedPlace, cited_place
from rag.chat.tags import location_in_full
from rag.search.links import passage_url
from rag.selectors.cited_place import CitedPassage
from tests.conftest import AddDocument

TEXT = "Pierwszy wiersz\ndrugi wiersz\n\ntrzeci akapit\ni jego koniec\n"


def place(start: int, end: int, pages: list[int] | None = None) -> CitedPlace | None:
    return cited_place(Extraction(text=TEXT, page_starts=pages or []), CitedPassage(start=start, end=end))


def test_lines_count_from_one_and_include_both_ends() -> None:
    assert place(0, 5) == CitedPlace(line_start=1, line_end=1)
    begin = TEXT.index("drugi")
    assert place(begin, TEXT.index(" koniec")) == CitedPlace(line_start=2, line_end=5)


def test_a_passage_that_ends_with_its_line_is_on_that_line() -> None:
    assert place(0, TEXT.index("drugi")) == CitedPlace(line_start=1, line_end=1)


def test_pages_are_told_where_the_format_has_them() -> None:
    pages = [0, TEXT.index("drugi"), TEXT.index("trzeci")]
    found = place(TEXT.index("drugi"), len(TEXT), pages)
    assert found == CitedPlace(line_start=2, line_end=5, page_start=2, page_end=3)
    with translation.override("en"):
        assert location_in_full(found) == "pages 2–3, lines 2–5"


def test_nothing_cited_has_no_place() -> None:
    assert place(4, 4) is None
    assert place(900, 910) is None


def test_the_document_says_where_its_cited_passage_stands(
    client: Client, public: Collection, index: AddDocument
) -> None:
    document = index(public, TEXT, name="r.md")
    start = TEXT.index("trzeci")
    shown = client.get(passage_url(document.pk, start, start + len("trzeci akapit"), "trzeci akapit"))
    assert "<span data-place>wiersz 4</span>" in shown.content.decode()
    assert "data-place" not in client.get(f"/documents/{document.pk}/").content.decode()
