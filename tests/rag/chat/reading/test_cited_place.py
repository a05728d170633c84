"""A link marks the words that were cited, or none."""

import re

from django.test import Client

from ingestion.models import Collection, Document
from ingestion.services.chunks import edit_chunk
from rag.search.links import passage_url
from tests.conftest import AddDocument

QUOTE = "Pracownikowi przysługuje 26 dni urlopu."
TEXT = f"# Regulamin\n\n## Urlop\n\n{QUOTE} Wniosek składa się w kadrach.\n"
GONE = "cytowanego fragmentu już w nim nie ma"


def link(document: Document, text: str = TEXT, quote: str = QUOTE) -> str:
    start = text.index(quote)
    return passage_url(document.pk, start, start + len(quote), quote)


def marked(client: Client, url: str) -> str:
    shown = client.get(url).content.decode()
    return "".join(re.findall(r"<mark[^>]*>(.*?)</mark>", shown, re.S))


def test_the_quote_is_marked_where_it_was(client: Client, public: Collection, index: AddDocument) -> None:
    assert marked(client, link(index(public, TEXT, name="r.md"))) == QUOTE


def test_a_quote_that_moved_is_marked_at_its_new_place(client: Client, public: Collection, index: AddDocument) -> None:
    url = link(index(public, TEXT, name="r.md"))
    index(
        public,
        TEXT.replace("## Urlop", "## Zasady ogólne\n\nRegulamin obowiązuje wszystkich.\n\n## Urlop"),
        name="r.md",
    )
    assert marked(client, url) == QUOTE


def test_of_equal_quotes_the_one_nearest_to_the_old_place_is_marked(
    client: Client, public: Collection, index: AddDocument
) -> None:
    """The words stand in two sections; what was written above both has moved them a little."""
    twice = f"# Regulamin\n\n{QUOTE}\n\n{'Zdanie o czymś innym. ' * 40}\n\n{QUOTE} To drugie miejsce.\n"
    place = twice.rindex(QUOTE)
    document = index(public, twice, name="r.md")
    url = passage_url(document.pk, place, place + len(QUOTE), QUOTE)
    index(public, twice.replace("Regulamin", "Regulamin pracy"), name="r.md")
    shown = client.get(url).content.decode()
    assert re.findall(r"<mark[^>]*>(.*?)</mark>(.{19})", shown, re.S) == [(QUOTE, " To drugie miejsce.")]


def test_a_quote_that_is_gone_marks_nothing_and_the_page_says_so(
    client: Client, public: Collection, index: AddDocument
) -> None:
    url = link(index(public, TEXT, name="r.md"))
    index(public, TEXT.replace("26", "20"), name="r.md")
    assert marked(client, url) == ""
    assert GONE in client.get(url).content.decode()


def test_a_quote_of_a_text_that_became_shorter_marks_nothing(
    client: Client, public: Collection, index: AddDocument
) -> None:
    url = link(index(public, TEXT, name="r.md"))
    index(public, "Krótko.\n", name="r.md")
    assert marked(client, url) == ""
    assert GONE in client.get(url).content.decode()


def test_the_words_of_an_editor_are_not_looked_for_in_the_document(
    client: Client, public: Collection, index: AddDocument
) -> None:
    document = index(public, TEXT, name="r.md")
    chunk = document.chunks.get(text__contains=QUOTE)
    corrected = QUOTE.replace("26", "dwadzieścia sześć")
    edit_chunk(chunk=chunk, text=chunk.text.replace(QUOTE, corrected))
    start = chunk.start + chunk.text.index(corrected)
    url = passage_url(document.pk, start, start + len(corrected), corrected)
    page = client.get(url).content.decode()
    assert page.count('<mark id="cytat"') == 1
    assert corrected not in page.rpartition("</section>")[2]
    assert "poprawił" in page


def test_the_links_of_an_answer_are_those_that_mark_its_quotes(
    client: Client, public: Collection, index: AddDocument
) -> None:
    index(public, TEXT, name="r.md")
    page = client.post("/ask/", {"question": "Ile dni urlopu przysługuje pracownikowi?"}, follow=True).content.decode()
    url = re.search(r'class="chip" href="([^"]+)"', page)
    assert url
    assert "26 dni" in marked(client, url[1].replace("&amp;", "&"))


def test_the_parts_of_a_long_document_keep_the_citation(client: Client, public: Collection, index: AddDocument) -> None:
    long = "Zdanie wypełniające dokument.\n\n" * 12_000 + TEXT
    document = index(public, "krótki", name="r.md")
    document.extractions.update(text=long)
    url = link(document, long)
    assert marked(client, url) == QUOTE
    earlier = re.search(r'part-link"><a href="([^"]+)"', client.get(url).content.decode())
    assert earlier
    assert re.search(r"q=[0-9a-f]{8}&(amp;)?part=", earlier[1])
