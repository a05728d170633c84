"""What became of each uploaded file, until all are ready."""

from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingestion.jobs import run_job
from ingestion.models import Collection
from tests.ingestion.api.library import Library

UPLOAD, UPLOADED = "admin:ingestion_document_upload", "admin:ingestion_document_uploaded"


def upload(client: Client, collection: Collection, **texts: str) -> dict[str, str]:
    """Of each file by name: its outcome."""
    files = [SimpleUploadedFile(f"{name}.txt", text.encode()) for name, text in texts.items()]
    page = client.post(reverse(UPLOAD), {"originals": files, "collection": collection.pk}, follow=True)
    return {row.name.removesuffix(".txt"): row.outcome for row in page.context["rows"]}


def test_a_file_is_new_replaced_unchanged_or_refused(library: Library) -> None:
    client, collection = library.client("editor"), library.collections["public"]
    assert upload(client, collection, a="Pierwszy.", b="Drugi.") == {"a": "new", "b": "new"}
    again = upload(client, collection, a="Pierwszy.", b="Drugi, poprawiony.", c="")
    assert again == {"a": "unchanged", "b": "replaced", "c": "refused"}


def test_the_page_follows_the_documents_until_all_are_ready(library: Library) -> None:
    client = library.client("editor")
    upload(client, library.collections["public"], a="Pierwszy.", b="Drugi.")
    page = client.get(reverse(UPLOADED))
    assert (page.context["ready"], page.context["total"], page.context["moving"]) == (0, 2, True)
    assert 'data-live="on"' in page.content.decode()
    for row in page.context["rows"]:
        run_job(str(row.job.pk))
    page = client.get(reverse(UPLOADED))
    assert (page.context["ready"], page.context["moving"]) == (2, False)
    assert 'id="ask-now"' in page.content.decode()


def test_an_upload_is_followed_by_whoever_sent_it(library: Library) -> None:
    upload(library.client("editor"), library.collections["public"], a="Pierwszy.")
    assert library.client("superuser").get(reverse(UPLOADED)).url == reverse(UPLOAD)
    assert library.client("member").get(reverse(UPLOADED)).status_code == 302


def test_a_document_that_is_hidden_by_now_has_no_row(library: Library) -> None:
    client, collection = library.client("editor"), library.collections["internal"]
    upload(client, collection, tajny="Pierwszy.")
    Collection.objects.filter(pk=collection.pk).update(visibility="restricted")
    assert "tajny.txt" not in client.get(reverse(UPLOADED)).content.decode()


def test_without_a_collection_the_way_to_one_is_shown(library: Library) -> None:
    Collection.objects.update(visibility="restricted")
    editor = library.viewers["editor"]
    text = library.client("editor").get(reverse(UPLOAD)).content.decode()
    assert reverse("admin:ingestion_collection_add") in text
    assert "upload_form" not in text
    editor.user_permissions.remove(Permission.objects.get(codename="add_collection"))
    assert 'class="kt-button"' not in library.client("editor").get(reverse(UPLOAD)).content.decode()
