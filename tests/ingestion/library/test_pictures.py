"""What is known of a page is not asked twice, and a file that harms is left alone."""

import uuid
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ingestion.library.pictures import has_pictures, marked_page, page_picture
from ingestion.models import Document
from tests.ingestion.reading.pdf_files import paragraph, pdf

FILE = pdf([paragraph(["Urlop trwa 26 dni."])])


@pytest.fixture
def document() -> Document:
    """Not in the database; nothing is known of its file."""
    return Document(media_type="application/pdf", checksum=uuid.uuid4().hex)


def stored(document: Document, content: bytes) -> Any:
    if document.file:
        default_storage.delete(document.file.name)
    document.file.name = default_storage.save(f"originals/{document.checksum}", ContentFile(content))
    return document


@pytest.mark.slow
def test_a_page_that_was_painted_needs_no_file(document: Document) -> None:
    painted = page_picture(stored(document, FILE), page=1, width=800)
    found = marked_page(document, page=1, text="Urlop", start=0, end=5)
    assert painted
    assert found
    default_storage.delete(document.file.name)
    assert page_picture(document, page=1, width=800) == painted
    assert marked_page(document, page=1, text="Urlop", start=0, end=5) == found
    assert marked_page(document, page=1, text="Urlop", start=1, end=5) is None, "another question"


def test_a_page_that_cannot_be_painted_is_left_alone(document: Document) -> None:
    assert page_picture(stored(document, b"%PDF-1.7 broken"), page=1, width=800) is None
    assert page_picture(stored(document, FILE), page=1, width=1200) is None


def test_a_disk_that_does_not_answer_is_asked_again(document: Document) -> None:
    default_storage.delete(stored(document, FILE).file.name)
    assert page_picture(document, page=1, width=800) is None
    document.file.name = ""
    assert page_picture(stored(document, FILE), page=1, width=800)


def test_only_a_pdf_whose_original_is_kept_has_pictures(document: Document) -> None:
    assert not has_pictures(document)
    assert has_pictures(stored(document, FILE))
    document.media_type = "text/plain"
    assert not has_pictures(document)
