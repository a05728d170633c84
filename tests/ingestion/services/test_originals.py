"""Originals are kept once, by content, as long as a document or a version of one has that content."""

import hashlib
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DataError

from ingestion.models import Collection, Document
from ingestion.services.documents import add_document
from ingestion.services.files.originals import forget_orphans, store_original

CHECKSUM = hashlib.sha256(b"Wersja.").hexdigest()
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


def test_a_document_that_cannot_be_written_leaves_no_original(add: Callable[..., Document], public: Collection) -> None:
    with pytest.raises(DataError):
        add_document(collection=public, name="a.txt", content=b"Wersja.", category="x" * 101)
    assert default_storage.listdir("originals/" + CHECKSUM[:2])[1] == []


def test_a_failed_copy_of_an_original_that_a_document_has_leaves_it(
    add: Callable[..., Document], public: Collection
) -> None:
    path = add(b"Wersja.").file.name or ""
    with pytest.raises(DataError):
        add_document(collection=public, name="b.txt", content=b"Wersja.", category="x" * 101)
    assert default_storage.exists(path)


def test_a_night_deletes_the_originals_that_no_row_has(add: Callable[..., Document]) -> None:
    kept = add(b"Wersja.").file.path
    orphan, fresh = (Path(store_original(name * 32, ContentFile(b"x"))) for name in ("ab", "cd"))
    for path in (kept, default_storage.path(str(orphan))):
        os.utime(path, (0, 0))
    assert forget_orphans() == 1
    assert not default_storage.exists(str(orphan))
    assert default_storage.exists(str(fresh))
    assert Path(kept).exists()
