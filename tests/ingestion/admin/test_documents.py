from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from ingestion.models import Chunk, Collection, Document, Job
from tests.ingestion.api.library import Library

LIST = "admin:ingestion_document_changelist"
UPLOAD = "admin:ingestion_document_upload"


def act(client: Client, action: str, *documents: Document, **extra: str) -> None:
    client.post(reverse(LIST), {"action": action, "_selected_action": [d.pk for d in documents], **extra})


def test_many_files_are_uploaded_at_once_and_each_answers_for_itself(library: Library, settings: Settings) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"max_bytes": 30}}
    files = [
        SimpleUploadedFile("pierwszy.txt", b"Pierwszy.".ljust(30, b"!")),  # exactly the limit
        SimpleUploadedFile("pusty.txt", b""),
        SimpleUploadedFile("za-duzy.txt", b"x" * 31),
        SimpleUploadedFile("drugi.md", b"# Drugi\n"),
    ]
    common = {
        "collection": library.collections["public"].pk,
        "category": "regulaminy",
        "tags": "kadry, urlopy",
    }
    fields = {"originals": files, "valid_from": "2024-03-12", **common}
    response = library.client("editor").post(reverse(UPLOAD), fields, follow=True)
    taken = {row.name: row for row in response.context["rows"]}
    assert [name for name, file in taken.items() if file.document] == ["pierwszy.txt", "drugi.md"]
    assert all(taken[name].error for name in ("pusty.txt", "za-duzy.txt"))
    added = Document.objects.filter(category="regulaminy")
    assert {(d.file_name, tuple(d.tags), str(d.valid_from)) for d in added} == {
        ("pierwszy.txt", ("kadry", "urlopy"), "2024-03-12"),
        ("drugi.md", ("kadry", "urlopy"), "2024-03-12"),
    }
    assert Job.objects.filter(document__in=added, status="queued").count() == 2


def test_an_upload_without_files_or_collection_says_so(library: Library) -> None:
    response = library.client("editor").post(reverse(UPLOAD), {})
    assert set(response.context["form"].errors) == {"originals", "collection"}


def test_an_upload_into_a_hidden_collection_is_refused(library: Library) -> None:
    response = library.client("editor").post(
        reverse(UPLOAD),
        {"originals": SimpleUploadedFile("a.txt", b"a"), "collection": library.collections["restricted"].pk},
    )
    assert "collection" in response.context["form"].errors


def test_uploading_needs_the_permission(library: Library) -> None:
    library.viewers["editor"].user_permissions.clear()
    assert library.client("editor").get(reverse(UPLOAD)).status_code == 403


def test_archived_documents_leave_search_and_come_back(library: Library) -> None:
    document, client = library.ready["public"], library.client("superuser")
    act(client, "archive", document)
    document.refresh_from_db()
    assert (document.status, document.chunks.count()) == ("archived", 0)
    act(client, "index_again", document)
    assert not document.jobs.filter(status="queued").exists()
    act(client, "restore", document)
    assert document.jobs.filter(status="queued").exists()


def test_deleting_many_takes_their_index_and_originals_with_them(
    library: Library, django_capture_on_commit_callbacks: object
) -> None:
    document = library.ready["public"]
    path = document.file.path
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        act(library.client("superuser"), "delete_selected", document, post="yes")
    assert not Chunk.objects.filter(document_id=document.pk).exists()
    assert not Document.objects.filter(pk=document.pk).exists()
    assert not document.file.storage.exists(path)


def test_the_confirmation_of_deletion_counts_chunks_instead_of_listing_postings(library: Library) -> None:
    client = library.client("superuser")
    response = client.get(reverse("admin:ingestion_document_delete", args=[library.ready["public"].pk]))
    assert len(response.context["deleted_objects"]) == 1


def test_a_new_title_is_indexed_and_other_fields_are_not(library: Library) -> None:
    document, client = library.ready["public"], library.client("superuser")
    address = reverse("admin:ingestion_document_change", args=[document.pk])
    fields = {"title": document.title, "language": "pl", "tags": "kadry", "version": "", "metadata": "{}"}
    client.post(address, {**fields, "category": "regulaminy"})
    assert not document.jobs.filter(status="queued").exists()
    client.post(address, {**fields, "category": "regulaminy", "title": "Regulamin urlopów"})
    document.refresh_from_db()
    assert (document.title, document.category, document.status) == (
        "Regulamin urlopów",
        "regulaminy",
        "ready",
    )
    assert document.jobs.filter(status="queued").exists()


def test_a_collection_with_documents_cannot_be_deleted(library: Library) -> None:
    collection, client = library.collections["public"], library.client("superuser")
    client.post(reverse("admin:ingestion_collection_delete", args=[collection.pk]), {"post": "yes"})
    assert Collection.objects.filter(pk=collection.pk).exists()
    empty = Collection.objects.create(name="Pusta", slug="pusta")
    client.post(reverse("admin:ingestion_collection_delete", args=[empty.pk]), {"post": "yes"})
    assert not Collection.objects.filter(pk=empty.pk).exists()


def test_many_documents_are_changed_at_once_and_keep_what_was_left_empty(library: Library) -> None:
    client = library.client("editor")
    first, second = library.ready["public"], library.ready["internal"]
    Document.objects.filter(pk=first.pk).update(tags=["stare", "wspólne"], category="regulamin")
    address = reverse("admin:ingestion_document_changelist")
    chosen = {"action": "edit_many", "_selected_action": [first.pk, second.pk]}
    assert "regulamin" in client.post(address, chosen).content.decode()
    said = {
        "confirmed": "yes",
        "category": "",
        "added": "nowe, wspólne",
        "removed": "stare",
        "valid_from": "2026-01-01",
    }
    client.post(address, chosen | said)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.tags, first.category) == (["wspólne", "nowe"], "regulamin")
    assert second.tags[-2:] == ["nowe", "wspólne"]
    assert {str(first.valid_from), str(second.valid_from)} == {"2026-01-01"}
    assert "tags" in first.edited
    client.post(address, chosen | {"confirmed": "yes", "valid_to": "2020-01-01"})
    first.refresh_from_db()
    assert first.valid_to is None
