"""What an editor set by hand stays, by whatever way the document comes again."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job
from ingestion.services.documents import add_document, restore_version
from tests.conftest import AddDocument
from tests.ingestion.api.library import Library, make_library

FRONT_MATTER = "---\nautor: Anna Nowak\ntitle: Zasady urlopów\n---\n\n# Urlopy\n\nUrlop trwa 20 dni.\n"
MAIL = "From: kadry@example.pl\nTo: wszyscy@example.pl\nSubject: Urlopy\n\nUrlop trwa 20 dni.\n"
EDITED = {
    "title": "Regulamin urlopów",
    "category": "regulaminy",
    "tags": "kadry,urlopy",
    "language": "en",
    "version": "3",
    "valid_from": "2024-01-01",
    "valid_to": "2025-12-31",
    "metadata": json.dumps({"dział": "HR"}),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "pliki"
    root.mkdir()
    (root / "urlopy.md").write_text(FRONT_MATTER)
    (root / "list.eml").write_text(MAIL)
    return root


@pytest.fixture
def editor(superuser: User, client: Client) -> Client:
    client.force_login(superuser)
    return client


@pytest.fixture
def library(db: None) -> Library:
    return make_library()


def index_folder(folder: Path, **options: Any) -> None:
    call_command("index", str(folder), collection="publiczna", verbosity=0, **options)


def edit(client: Client, document: Document, **changes: str) -> None:
    """Save the document's page with these fields changed, the others as the page has them."""
    address = reverse("admin:ingestion_document_change", args=[document.pk])
    form = client.get(address).context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    sent = {name: "" if value is None else value for name, value in values.items()} | changes
    sent["tags"] = ",".join(sent["tags"]) if isinstance(sent["tags"], list) else sent["tags"]
    assert client.post(address, sent).status_code == 302


def fields(document: Document) -> dict[str, Any]:
    document.refresh_from_db()
    shown = {name: getattr(document, name) for name in EDITED if name != "metadata"}
    return shown | {"dział": document.metadata.get("dział")}


SET = {
    "title": "Regulamin urlopów",
    "category": "regulaminy",
    "tags": ["kadry", "urlopy"],
    "language": "en",
    "version": "3",
    "valid_from": date(2024, 1, 1),
    "valid_to": date(2025, 12, 31),
    "dział": "HR",
}


def test_indexing_an_unchanged_folder_again_does_nothing_even_where_files_say_something_of_themselves(
    public: Collection, folder: Path
) -> None:
    index_folder(folder)
    assert Document.objects.get(uri="urlopy.md").metadata["extracted"]["autor"] == "Anna Nowak"
    before = list(Document.objects.order_by("pk").values())
    index_folder(folder)
    assert Job.objects.count() == 2
    assert list(Document.objects.order_by("pk").values()) == before


def test_what_an_editor_set_stays_when_the_unchanged_file_is_indexed_again(
    public: Collection, folder: Path, editor: Client
) -> None:
    index_folder(folder)
    document = Document.objects.get(uri="urlopy.md")
    edit(editor, document, **EDITED)
    index_folder(folder)
    assert fields(document) == SET
    jobs = Job.objects.count()
    index_folder(folder)
    assert Job.objects.count() == jobs


def test_what_an_editor_set_stays_when_the_changed_file_is_indexed(
    public: Collection, folder: Path, editor: Client
) -> None:
    index_folder(folder)
    document = Document.objects.get(uri="urlopy.md")
    edit(editor, document, **EDITED)
    (folder / "urlopy.md").write_text(FRONT_MATTER.replace("20 dni", "26 dni").replace("Nowak", "Kowalska"))
    index_folder(folder)
    assert fields(document) == SET
    assert "26 dni" in document.chunks.get().text
    assert document.metadata["extracted"]["autor"] == "Anna Kowalska"


def test_what_an_editor_set_stays_when_a_version_comes_through_the_api(
    public: Collection, index: AddDocument, editor: Client
) -> None:
    document = index(public, FRONT_MATTER, name="urlopy.md")
    edit(editor, document, **EDITED)
    file = SimpleUploadedFile("urlopy.md", b"# Urlop\n\nUrlop trwa 26 dni.\n")
    said = {"title": "Co innego", "category": "inna", "tags": ["x"], "valid_from": "2026-01-01", "version": "9"}
    sent = {"file": file, "collection": "publiczna", "uri": "urlopy.md", "metadata": '{"dział": "IT", "rok": 2026}'}
    response = editor.post("/api/documents", sent | said)
    assert response.status_code == 202
    assert fields(document) == SET
    assert document.metadata["rok"] == 2026
    assert set(response.json()["document"]["edited"]) == {
        "title", "category", "tags", "language", "version", "valid_from", "valid_to", "metadata.dział"
    }  # fmt: skip


def test_what_an_editor_set_stays_when_an_old_version_is_restored(
    public: Collection, index: AddDocument, editor: Client, superuser: User
) -> None:
    index(public, "Urlop trwa 20 dni.", name="urlopy.md")
    document = index(public, "Urlop trwa 26 dni.", name="urlopy.md")
    edit(editor, document, **EDITED)
    restore_version(version=document.versions.get(number=1), author=superuser)
    shown = fields(document)
    assert shown == SET | {"version": shown["version"]}


def test_what_nobody_says_anew_stays_as_it_was(public: Collection, index: AddDocument) -> None:
    said = {"category": "kadry", "tags": ["hr"], "valid_to": date(2025, 12, 31), "metadata": {"rok": 2024}}
    index(public, "Urlop trwa 20 dni.", name="a.txt", **said)
    document = index(public, "Urlop trwa 26 dni.", name="a.txt")
    assert {name: getattr(document, name) for name in said} == said
    document = index(public, "Urlop trwa 26 dni.", name="a.txt", category="prawo")
    assert (document.category, document.tags) == ("prawo", ["hr"])


def test_a_title_that_the_editor_makes_the_file_name_is_the_editors(
    public: Collection, index: AddDocument, editor: Client
) -> None:
    document = index(public, "# Urlopy w firmie\n\nUrlop trwa 20 dni.\n", name="urlopy.md")
    assert document.title == "Urlopy w firmie"
    edit(editor, document, title="urlopy.md")
    index(public, "# Urlopy w firmie\n\nUrlop trwa 26 dni.\n", name="urlopy.md")
    document.refresh_from_db()
    assert document.title == "urlopy.md"


def test_a_document_that_an_editor_archived_stays_in_the_archive_when_its_folder_is_indexed(
    public: Collection, folder: Path, editor: Client
) -> None:
    index_folder(folder)
    document = Document.objects.get(uri="urlopy.md")
    chosen = {"action": "archive", "_selected_action": [document.pk]}
    editor.post(reverse("admin:ingestion_document_changelist"), chosen)
    (folder / "urlopy.md").write_text("# Nowe\n\nUrlop trwa 26 dni.\n")
    index_folder(folder)
    document.refresh_from_db()
    assert (document.status, document.chunk_count) == ("archived", 0)
    assert document.versions.count() == 1


def test_a_version_with_the_same_words_of_its_own_waits_for_no_title(public: Collection, index: AddDocument) -> None:
    """Readers see the title of before until the new content is read, never a bare file name."""
    index(public, "# Urlopy w firmie\n\nUrlop trwa 20 dni.\n", name="urlopy.md")
    content = b"# Urlopy i zwolnienia\n\nUrlop trwa 26 dni.\n"
    document = add_document(collection=public, name="urlopy.md", content=content, enqueue=False)
    assert document.title == "Urlopy w firmie"
    assert index(public, content, name="urlopy.md").title == "Urlopy i zwolnienia"


def take_back(client: Client, document: Document, field: str) -> None:
    address = reverse("admin:ingestion_document_take_back", args=[document.pk])
    assert client.post(address, {"field": field}).status_code == 302
    document.refresh_from_db()


def test_an_editor_takes_the_documents_own_values_back(public: Collection, index: AddDocument, editor: Client) -> None:
    own = {"category": "kadry", "tags": ["hr"], "valid_from": date(2023, 1, 1), "metadata": {"dział": "IT", "rok": 1}}
    document = index(public, FRONT_MATTER, name="urlopy.md", **own)
    edit(editor, document, **EDITED)
    page = editor.get(reverse("admin:ingestion_document_change", args=[document.pk])).content.decode()
    for name in document_edited(document):
        assert f'data-field="{name}"' in page
    for name in ("category", "tags", "valid_to", "metadata.dział", "metadata.rok", "title"):
        take_back(editor, document, name)
    assert document.edited == ["language", "version"]
    assert {name: getattr(document, name) for name in own if name != "metadata"} == {
        name: value for name, value in own.items() if name != "metadata"
    }
    assert (document.valid_to, document.language) == (None, "en")
    said = {key: value for key, value in document.metadata.items() if key != "extracted"}
    assert said == own["metadata"]
    for job in document.jobs.filter(status="queued"):
        run_job(str(job.pk))
    document.refresh_from_db()
    assert document.title == "Zasady urlopów"


def document_edited(document: Document) -> list[str]:
    document.refresh_from_db()
    assert "metadata.rok" in document.edited  # taken out by the editor
    return document.edited


def test_a_key_that_an_editor_took_out_of_the_metadata_does_not_come_back(
    public: Collection, index: AddDocument, editor: Client
) -> None:
    document = index(public, "Urlop trwa 20 dni.", name="a.txt", metadata={"rok": 2024, "dział": "IT"})
    edit(editor, document, metadata='{"dział": "IT"}')
    document = index(public, "Urlop trwa 26 dni.", name="a.txt", metadata={"rok": 2026, "dział": "HR"})
    assert document.metadata == {"dział": "HR"}


def test_only_an_editor_of_the_document_takes_values_back(library: Library) -> None:
    hidden, seen = library.ready["restricted"], library.ready["public"]
    Document.objects.update(edited=["category"], category="regulaminy")
    for viewer, document, status in (("editor", hidden, 404), ("signed_in", seen, 302), ("editor", seen, 302)):
        address = reverse("admin:ingestion_document_take_back", args=[document.pk])
        assert library.client(viewer).post(address, {"field": "category"}).status_code == status
    assert set(Document.objects.filter(edited=[]).values_list("pk", flat=True)) == {seen.pk}


def test_the_metadata_that_the_file_says_is_no_editors_to_write(
    public: Collection, index: AddDocument, editor: Client
) -> None:
    document = index(public, FRONT_MATTER, name="urlopy.md")
    address = reverse("admin:ingestion_document_change", args=[document.pk])
    form = editor.get(address).context["adminform"].form
    assert form["metadata"].value() == "{}"
    refused = editor.post(address, {"title": "T", "language": "pl", "metadata": '{"extracted": {}}'})
    assert "metadata" in refused.context["adminform"].form.errors
