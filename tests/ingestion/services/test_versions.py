"""What a document was stays known, for as many versions as the settings keep."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.test import Client

from ingestion.errors import IngestionError
from ingestion.jobs import run_job
from ingestion.models import Collection, Document, DocumentVersion
from ingestion.services.comparing import compared, text_of
from ingestion.services.documents import add_document, delete_document, restore_version
from rag.services.ask import answer_question
from tests.conftest import AddDocument

Capture = Callable[..., AbstractContextManager[Any]]
TEXTS = [f"# Urlop\n\nPo dziesięciu latach przysługuje {days} dni urlopu.\n" for days in (20, 24, 26)]


@pytest.fixture
def versions(public: Collection, index: AddDocument, superuser: User) -> list[DocumentVersion]:
    """Three contents of one document, the oldest first."""
    for number, text in enumerate(TEXTS, start=1):
        index(public, text, name="urlop.md", version=f"{number}.0", author=superuser)
    return list(DocumentVersion.objects.order_by("number"))


def test_each_version_keeps_its_original_its_label_who_and_when(
    versions: list[DocumentVersion], superuser: User
) -> None:
    assert [(v.number, v.label, v.author) for v in versions] == [
        (1, "1.0", superuser), (2, "2.0", superuser), (3, "3.0", superuser)
    ]  # fmt: skip
    assert [v.file.read().decode() for v in versions] == TEXTS
    assert versions[0].created < versions[1].created < versions[2].created


def test_the_same_content_again_is_no_new_version(
    versions: list[DocumentVersion], public: Collection, index: AddDocument
) -> None:
    index(public, TEXTS[-1], name="urlop.md", category="kadry")
    assert DocumentVersion.objects.count() == 3


def test_the_text_of_every_version_can_be_compared(versions: list[DocumentVersion]) -> None:
    texts = [text_of(version) or "" for version in versions]
    assert ["20 dni" in texts[0], "24 dni" in texts[1], "26 dni" in texts[2]] == [True] * 3
    lines = list(compared(texts[0], texts[2]))
    assert [line.text for line in lines if line.kind == "removed"] == [TEXTS[0].splitlines()[2]]
    assert [line.text for line in lines if line.kind == "added"] == [TEXTS[2].splitlines()[2]]


def test_unchanged_lines_far_from_a_change_are_counted_not_shown() -> None:
    old = [f"wiersz {n}" for n in range(100)]
    new = [*old[:50], "inny", *old[51:]]
    lines = list(compared("\n".join(old), "\n".join(new)))
    assert [(line.kind, line.skipped) for line in lines if line.kind == "skipped"] == [("skipped", 47), ("skipped", 46)]
    assert sum(line.kind == "same" for line in lines) == 6
    assert list(compared("tak samo", "tak samo")) == []


def test_a_restored_version_is_read_again_and_is_the_newest(versions: list[DocumentVersion], superuser: User) -> None:
    job = restore_version(version=versions[0], author=superuser)
    run_job(str(job.pk))
    document = Document.objects.get()
    assert "20 dni" in document.chunks.get().text
    assert document.checksum == versions[0].checksum
    assert [v.number for v in document.versions.all()] == [4, 3, 2, 1]
    assert "26 dni" in (text_of(document.versions.get(number=3)) or "")
    with pytest.raises(IngestionError):
        restore_version(version=document.versions.first() or versions[0], author=superuser)


def test_no_more_versions_are_kept_than_the_settings_say(
    public: Collection, settings: Any, django_capture_on_commit_callbacks: Capture
) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"kept_versions": 1}}
    with django_capture_on_commit_callbacks(execute=True):
        for text in TEXTS:
            add_document(collection=public, name="urlop.md", content=text.encode(), enqueue=False)
    kept = list(DocumentVersion.objects.order_by("number"))
    assert [version.number for version in kept] == [2, 3]
    assert all(default_storage.exists(version.file.name) for version in kept)
    folders = default_storage.listdir("originals")[0]
    assert sum(len(default_storage.listdir(f"originals/{folder}")[1]) for folder in folders) == 2


def test_the_content_of_a_document_from_an_older_release_becomes_its_first_version(
    versions: list[DocumentVersion], public: Collection, index: AddDocument
) -> None:
    DocumentVersion.objects.all().delete()
    document = index(public, TEXTS[0], name="urlop.md")
    assert [(v.number, v.checksum == document.checksum) for v in document.versions.all()] == [(2, True), (1, False)]
    assert "26 dni" in (text_of(document.versions.get(number=1)) or "")


def test_a_deleted_document_takes_the_originals_of_its_versions_along(
    versions: list[DocumentVersion], django_capture_on_commit_callbacks: Capture
) -> None:
    paths = [version.file.name for version in versions]
    with django_capture_on_commit_callbacks(execute=True):
        delete_document(document=Document.objects.get())
    assert not any(default_storage.exists(path) for path in paths)


def test_an_old_citation_says_that_the_document_has_changed(
    public: Collection, index: AddDocument, client: Client
) -> None:
    index(public, TEXTS[0], name="urlop.md")
    citation = answer_question("Ile dni urlopu po dziesięciu latach?", viewer=User(), save=False).citations[0]
    assert 'id="cytat"' in client.get(citation.url).content.decode()
    index(public, TEXTS[2], name="urlop.md")
    page = client.get(citation.url, headers={"accept-language": "pl"}).content.decode()
    assert 'id="cytat"' not in page
    assert 'class="notice"' in page
    assert citation.quote in TEXTS[0]
