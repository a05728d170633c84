"""A link to words that only the second text of a document has opens that text."""

from collections.abc import Callable
from copy import copy

import pytest
from django.test import Client

from ingestion.models import Chunk, Document, Extraction
from rag.search.links import passage_url
from tests.conftest import index_text, make_public
from tests.kept import Kept

OWN = "Opłata wynosi siedemnaście złotych."
SECOND = "Opłata wynosi 17 zł."


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        document = index_text(public, OWN)
        second = Extraction.objects.create(document=document, extractor="pdfplumber", text=SECOND)
        Chunk.objects.create(
            document=document, extraction=second, collection=public, ordinal=0, text=SECOND, start=0, end=len(SECOND),
            line_start=1, line_end=1,
        )  # fmt: skip
        return document


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return copy(kept_document)


@pytest.fixture
def opened(client: Client, document: Document) -> Callable[[str], str]:
    def get(quote: str) -> str:
        return client.get(passage_url(document.pk, 0, len(quote), quote).partition("#")[0]).content.decode()

    return get


def test_words_of_the_second_text_open_it_and_say_so(opened: Callable[[str], str]) -> None:
    page = opened(SECOND)
    assert f">{SECOND}</mark>" in page
    assert "pdfplumber" in page


def test_words_of_the_own_text_open_that(opened: Callable[[str], str]) -> None:
    page = opened(OWN)
    assert f">{OWN}</mark>" in page
    assert "pdfplumber" not in page


def test_words_that_no_text_has_show_the_documents_own(opened: Callable[[str], str]) -> None:
    page = opened("Opłata jest zniesiona.")
    assert OWN in page
    assert SECOND not in page
