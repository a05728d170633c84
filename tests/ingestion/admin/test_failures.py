"""What an editor reads of a file that could not be read: first what to do, what a library said only on demand."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from tests.conftest import AddDocument, index_in_job


@pytest.fixture
def index(db: None) -> AddDocument:
    return index_in_job


@pytest.fixture
def damaged(public: Collection, index: AddDocument) -> Document:
    return index(public, b"%PDF-1.7\n" + b"\x00\xff" * 500, name="umowa.pdf")


def test_what_a_library_said_stands_behind_the_remedy(damaged: Document) -> None:
    told, detail = damaged.error_message.splitlines()
    assert told.startswith("Plik PDF jest uszkodzony i nie można go odczytać.")
    assert "PDFium" not in told
    assert "PDFium" in detail


@pytest.mark.parametrize("page", ["ingestion_document_changelist", "ingestion_document_change", "ingestion_job_change"])
def test_the_page_keeps_it_among_the_details(client: Client, superuser: User, damaged: Document, page: str) -> None:
    client.force_login(superuser)
    of = {"ingestion_document_change": [damaged.pk], "ingestion_job_change": [damaged.jobs.get().pk]}
    text = client.get(reverse(f"admin:{page}", args=of.get(page))).content.decode()
    assert "Plik PDF jest uszkodzony" in text
    assert re.search(r"<details[^>]*><summary>Szczegóły</summary>[^<]*PDFium", text)


def test_a_file_of_no_kind_says_so_in_plain_words(public: Collection, index: AddDocument) -> None:
    document = index(public, bytes(range(256)) * 4, name="obraz.dsk")
    assert document.error_message.startswith("Nie obsługujemy tego rodzaju plików.")
