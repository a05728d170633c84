"""The versions on a document's page: seen by those who see the document, restored by those who may change it."""

import pytest
from django.contrib.auth.models import Permission
from django.core.files.storage import default_storage
from django.urls import reverse

from ingestion.models import Document, DocumentVersion
from tests.ingestion.api.library import Library, ready_document
from tests.streamed import streamed_body

OLD = "# Urlopy\n\nPracownikowi przysługuje 20 dni.\n"
NEW = "# Urlopy\n\nPracownikowi przysługuje <b>26</b> dni.\n"


@pytest.fixture
def document(library: Library) -> Document:
    ready_document(library.collections["public"], OLD, name="wersje.md")
    return ready_document(library.collections["public"], NEW, name="wersje.md")


def address(document: Document, number: int, what: str) -> str:
    return reverse(f"admin:ingestion_document_version_{what}", args=[document.pk, number])


def test_the_page_lists_them_with_what_can_be_done(library: Library, document: Document) -> None:
    page = library.client("editor").get(reverse("admin:ingestion_document_change", args=[document.pk]))
    for what in ("download", "compare", "restore"):
        assert address(document, 1, what) in page.content.decode()
    assert address(document, 2, "restore") not in page.content.decode()


def test_an_old_original_is_downloaded_as_it_was(library: Library, document: Document) -> None:
    response = library.client("editor").get(address(document, 1, "download"))
    assert streamed_body(response) == OLD.encode()
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["Content-Type"] == "application/octet-stream"


def test_the_comparison_shows_text_and_never_runs_it(library: Library, document: Document) -> None:
    page = library.client("editor").get(address(document, 1, "compare")).content.decode()
    assert "<del>Pracownikowi przysługuje 20 dni.</del>" in page
    assert "<ins>Pracownikowi przysługuje &lt;b&gt;26&lt;/b&gt; dni.</ins>" in page


def test_restoring_queues_the_old_content(library: Library, document: Document) -> None:
    library.client("editor").post(address(document, 1, "restore"))
    document.refresh_from_db()
    assert document.checksum == DocumentVersion.objects.get(document=document, number=1).checksum
    assert document.versions.count() == 3
    assert document.jobs.filter(status="queued").exists()


def test_looking_restores_nothing(library: Library, document: Document) -> None:
    library.viewers["editor"].user_permissions.set(Permission.objects.filter(codename="view_document"))  # type: ignore[union-attr]
    client = library.client("editor")
    assert client.get(address(document, 1, "compare")).status_code == 200
    assert client.post(address(document, 1, "restore")).status_code == 403
    assert client.get(address(document, 1, "restore")).status_code in (403, 405)


def test_versions_in_a_hidden_collection_do_not_exist(library: Library) -> None:
    hidden = library.ready["restricted"]
    client = library.client("editor")
    for what in ("download", "compare"):
        assert client.get(address(hidden, 1, what)).status_code == 404


def test_an_original_that_is_gone_is_said_to_be_gone(library: Library, document: Document) -> None:
    version = DocumentVersion.objects.get(document=document, number=1)
    default_storage.delete(version.file.name)
    client = library.client("editor")
    assert client.get(address(document, 1, "download")).status_code == 404
    client.post(address(document, 1, "restore"))
    document.refresh_from_db()
    assert document.versions.count() == 2
