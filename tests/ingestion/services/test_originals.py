"""Originals are kept once, by content, as long as a document or a version of one has that content."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.core.files.storage import default_storage

from ingestion.models import Collection, Document
from ingestion.services.documents import add_document

Capture = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def add(public: Collection, django_capture_on_commit_callbacks: Capture) -> Callable[..., Document]:
    def added(content: bytes, name: str = "a.txt") -> Document:
        with django_capture_on_commit_callbacks(execute=True):
            return add_document(collection=public, name=name, content=content, enqueue=False)

    return added


def test_a_replaced_original_is_deleted_where_no_versions_are_kept(add: Callable[..., Document], settings: Any) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"kept_versions": 0}}
    old = add(b"Stara wersja.").file.name
    new = add(b"Nowa wersja.").file.name
    assert old
    assert new
    assert not default_storage.exists(old)
    assert default_storage.exists(new)


def test_an_original_that_another_document_has_stays(add: Callable[..., Document]) -> None:
    old = add(b"Wspolna.").file.name
    add(b"Wspolna.", "b.txt")
    add(b"Nowa.")
    assert old
    assert default_storage.exists(old)


def test_the_same_content_again_keeps_its_original(add: Callable[..., Document], public: Collection) -> None:
    old = add(b"Wersja.").file.name
    Document.objects.update(category="inna")
    add(b"Wersja.")
    assert old
    assert default_storage.exists(old)
