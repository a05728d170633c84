"""The words of a question in the document that its answer cites."""

import re

from django.contrib.auth.models import User
from django.test import Client
from django.utils.safestring import mark_safe

from ingestion.models import Collection
from rag.chat.reading.highlighting import HighlightedText
from rag.chat.reading.question_highlights import with_words
from rag.models import Exchange
from tests.conftest import AddDocument

TEXT = "# Regulamin\n\nPracownikowi przysługuje 26 dni urlopu.\n\nWniosek o urlop składa się w kadrach.\n"
QUESTION = "Ile dni urlopu przysługuje pracownikowi?"


def marked(html: str, *words: str) -> str:
    return str(with_words(HighlightedText(html=mark_safe(html)), frozenset(words)).html)


def hits(client: Client, address: str) -> list[str]:
    return re.findall(r'<mark class="hit">(.*?)</mark>', client.get(address).content.decode())


def asked(client: Client) -> str:
    """The address of what the answer cites, as the panel opens it."""
    page = client.post("/ask/", {"question": QUESTION}, follow=True).content.decode()
    url = re.search(r'class="chip" href="([^"#]+)', page)
    assert url
    return f"{url[1].replace('&amp;', '&')}&fragment=1&exchange={Exchange.objects.get().pk}"


def test_words_are_marked_beside_and_inside_the_citation() -> None:
    html = '<p>Urlop <mark id="cytat" tabindex="-1">wynosi 26 dni urlopu</mark>.</p>'
    assert marked(html, "urlop").count('<mark class="hit">') == 2


def test_tags_entities_and_signs_of_pages_are_left_alone() -> None:
    html = '<div class="page-sign" id="strona-3">strona 3</div><p id="naglowek-1">&amp; strona</p>'
    shown = marked(html, "strona", "amp", "p", "naglowek")
    assert shown == html.replace("&amp; strona", '&amp; <mark class="hit">strona</mark>')


def test_only_the_surroundings_of_a_citation_are_marked() -> None:
    far = "<p>urlop</p>" * 5_000
    shown = marked(f'{far}<p><mark id="cytat" tabindex="-1">urlop</mark></p>{far}', "urlop")
    assert 1 < shown.count('class="hit"') < 5_000
    assert shown.startswith("<p>urlop</p>")
    assert shown.endswith("<p>urlop</p>")


def test_the_reader_s_own_question_is_marked_in_any_inflection(
    client: Client, public: Collection, index: AddDocument
) -> None:
    index(public, TEXT, name="r.md")
    assert {"urlopu", "urlop", "Pracownikowi"} <= set(hits(client, asked(client)))


def test_the_question_of_somebody_else_marks_nothing(
    client: Client, public: Collection, index: AddDocument, employee: User
) -> None:
    index(public, TEXT, name="r.md")
    address = asked(client)
    somebody = Client()
    somebody.force_login(employee)
    assert hits(somebody, address) == []


def test_a_key_that_is_none_marks_nothing(client: Client, public: Collection, index: AddDocument) -> None:
    document = index(public, TEXT, name="r.md")
    assert hits(client, f"/documents/{document.pk}/?fragment=1&exchange=x") == []
