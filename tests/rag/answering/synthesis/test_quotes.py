import pytest

from rag.answering.synthesis.citations import citation_from
from rag.answering.synthesis.quotes import best_quote
from rag.types import Place

DOCUMENT = "Nagłówek\n\nPierwsze zdanie o umowie.\nDrugie zdanie o urlopie.\nTrzecie o karach.\n"


def test_a_quote_is_found_at_its_place_in_the_document(passage):
    start = DOCUMENT.index("Pierwsze")
    text = DOCUMENT[start:].rstrip()
    found = passage(text, start=start, line_start=3, page_start=2, page_end=3, relevance=0.7)
    begin = found.text.index("Drugie")
    citation = citation_from(found, number=4, quote_span=(begin, begin + 24))
    assert citation.quote == "Drugie zdanie o urlopie." == DOCUMENT[citation.start : citation.end]
    assert (citation.line_start, citation.line_end) == (4, 4)
    assert (citation.page_start, citation.page_end, citation.number, citation.score) == (2, 3, 4, 0.7)
    assert citation.url == ""


def test_a_quote_of_a_web_page_says_so(passage):
    found = passage("Urlop wynosi 26 dni.", origin="web", chunk_id=0)
    assert citation_from(found, number=1, quote_span=(0, 5)).origin == "web"
    assert citation_from(passage("Urlop."), number=1, quote_span=(0, 5)).origin == "document"


def test_lines_of_a_quote_include_both_ends(passage):
    found = passage("jeden\ndwa\ntrzy", line_start=10)
    last_lines = {(0, 5): 10, (0, 6): 10, (0, 9): 11, (6, 14): 12}
    for span, line in last_lines.items():
        assert citation_from(found, number=1, quote_span=span).line_end == line


def test_a_quote_that_ends_with_its_chunk_ends_on_the_page_of_that_chunk(passage):
    places = (
        Place(chunk_id=1, start=100, end=106, page_start=1, page_end=1),
        Place(chunk_id=2, start=106, end=112, page_start=2, page_end=2),
    )
    found = passage("jeden\ndwa...", start=100, places=places, page_start=1, page_end=2)
    pages = {(0, 6): (1, 1), (0, 7): (1, 2), (6, 12): (2, 2)}
    for span, expected in pages.items():
        citation = citation_from(found, number=1, quote_span=span)
        assert (citation.page_start, citation.page_end) == expected


@pytest.mark.parametrize("span", [(0, 0), (3, 2), (-1, 2), (0, 99)])
def test_a_quote_outside_its_passage_is_refused(passage, span):
    with pytest.raises(ValueError, match="outside the passage"):
        citation_from(passage("krótki"), number=1, quote_span=span)


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Kary nalicza się za każdy dzień zwłoki.", "Karę nalicza się za każdy dzień zwłoki."),
        ("Umowa obowiązuje do 2024 r.", "Umowę zawarto do 31 grudnia 2024 r."),
        ("Coś zupełnie innego.", "Umowę zawarto do 31 grudnia 2024 r."),
        ("Kara za dzień zwłoki wynosi 0,5% wynagrodzenia.",
         "Karę nalicza się za każdy dzień zwłoki. Wynosi ona 0,5% wynagrodzenia."),
    ],
)  # fmt: skip
def test_the_sentences_nearest_to_the_claim_are_quoted(passage, claim, quote):
    found = passage(
        "Umowę zawarto do 31 grudnia 2024 r. Karę nalicza się za każdy dzień zwłoki. "
        "Wynosi ona 0,5% wynagrodzenia. Spory rozstrzyga sąd."
    )
    start, end = best_quote(claim, found)
    assert found.text[start:end] == quote


def test_a_heading_alone_is_no_quote(passage):
    found = passage("# Wymiar urlopu\n\nPrzysługuje 26 dni.")
    start, end = best_quote("Wymiar urlopu jest stały.", found)
    assert found.text[start:end] == "Przysługuje 26 dni."


def test_at_most_three_sentences_are_quoted(passage):
    found = passage("Kot śpi. Pies szczeka. Krowa ryczy. Koń rży. Owca beczy.")
    start, end = best_quote("Kot, pies, krowa, koń i owca.", found)
    assert found.text[start:end].count(".") <= 3
