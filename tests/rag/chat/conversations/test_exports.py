"""A conversation as a file: what it says, and what it leaves out."""

import json
import re
from copy import copy

import pytest
from django.contrib.auth.models import User
from django.test import Client
from markdown_it import MarkdownIt

from ingestion.models import Document
from ingestion.services.erasure import erase_document
from rag.chat.conversations.exporting import file_name
from rag.models import Conversation
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def kept_leave(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(make_public(), "Urlop trwa 26 dni.", name="urlopy.txt", title="Urlopy\nwypoczynkowe")


@pytest.fixture
def leave(kept_leave: Document, db: None) -> Document:
    return copy(kept_leave)


@pytest.fixture
def own(client: Client, employee: User, leave: Document) -> Conversation:
    client.force_login(employee)
    conversation = talk(employee, "Żółte kartki?")
    said(conversation, "Ile trwa\n# urlop?", "Urlop trwa 26 dni. [1]", cites=(leave,))
    return conversation


def test_markdown_has_questions_answers_and_sources(client: Client, own: Conversation, leave: Document) -> None:
    response = client.get(f"/c/{own.pk}/export.md")
    assert response["Content-Disposition"] == 'attachment; filename="zolte-kartki.md"'
    assert response["Content-Type"].startswith("text/markdown")
    assert "no-store" in response["Cache-Control"]
    lines = response.content.decode().splitlines()
    assert lines[0] == "# Żółte kartki?"
    assert "## Ile trwa # urlop?" in lines
    assert "Urlop trwa 26 dni. [1]" in lines
    [source] = [line for line in lines if line.startswith("- [1]")]
    assert "Rozdział 2" in source
    assert f"http://testserver/documents/{leave.pk}/" in source


def test_data_have_the_same(client: Client, own: Conversation) -> None:
    exported = json.loads(client.get(f"/c/{own.pk}/export.json").content)
    [exchange] = exported["exchanges"]
    assert exchange["answer"] == "Urlop trwa 26 dni. [1]"
    assert exchange["sources"][0]["number"] == 1
    assert exported["title"] == "Żółte kartki?"


@pytest.mark.parametrize("ending", ["md", "json"])
def test_what_the_reader_no_longer_sees_is_left_out(
    client: Client, own: Conversation, leave: Document, ending: str
) -> None:
    leave.collection.visibility = "restricted"
    leave.collection.save()
    text = client.get(f"/c/{own.pk}/export.{ending}").content.decode()
    assert "26 dni" not in text
    assert "wypoczynkowe" not in text
    assert "Ile trwa" in text


def test_of_what_the_reader_no_longer_sees_not_even_the_outcome_is_told(
    client: Client, own: Conversation, leave: Document
) -> None:
    leave.collection.visibility = "restricted"
    leave.collection.save()
    [exchange] = json.loads(client.get(f"/c/{own.pk}/export.json").content)["exchanges"]
    assert (exchange["hidden"], exchange["outcome"], exchange["answer"], exchange["sources"]) == (True, "", "", [])


@pytest.mark.parametrize("ending", ["md", "json"])
def test_an_erased_document_leaves_nothing(client: Client, own: Conversation, leave: Document, ending: str) -> None:
    erase_document(document=leave)
    text = client.get(f"/c/{own.pk}/export.{ending}").content.decode()
    assert "26 dni" not in text
    assert "wypoczynkowe" not in text


def test_one_answer_can_be_had_alone(client: Client, own: Conversation) -> None:
    other = said(own, "Druga?", "Druga odpowiedź.")
    text = client.get(f"/c/{own.pk}/export.md", {"exchange": str(other.pk)}).content.decode()
    assert "Druga odpowiedź." in text
    assert "26 dni" not in text


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Żółw – co to?", "zolw-co-to.md"),
        ("???", "rozmowa.md"),
        ('a"\r\nb/../c', "a-bc.md"),
        ("ł" * 200, "l" * 60 + ".md"),
    ],
)
def test_file_names_are_ascii(title: str, name: str) -> None:
    assert file_name(title, "md") == name


HOSTILE = (
    '<script>alert(1)</script> <img src="https://zly.example/a.png"> ![](https://zly.example/b.png) '
    "[kliknij](javascript:alert(1)) [1](https://zly.example/c) [1][x] <https://zly.example/d>\n\n[x]: https://zly.example/e"
)


def test_what_documents_say_is_text_in_the_exported_markdown(
    client: Client, own: Conversation, leave: Document
) -> None:
    """Rendered by a parser that allows everything."""
    said(own, HOSTILE, f"{HOSTILE} [1]", cites=(leave,))
    text = client.get(f"/c/{own.pk}/export.md").content.decode()
    html = MarkdownIt("commonmark", {"html": True}).render(text)
    assert "&lt;script&gt;" in html
    assert not re.search(r"<(?:script|img|a)\b", html)
    assert "Urlop trwa 26 dni. [1]" in html
