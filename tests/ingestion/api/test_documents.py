from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from ingestion.models import Document
from knowledgetree.conf import rag_settings
from tests.ingestion.api.library import Library, every_viewer


def upload(client: Client, collection: str = "public", content: bytes = b"Tekst regulaminu.", **fields: object):  # type: ignore[no-untyped-def]
    file = SimpleUploadedFile("regulamin.txt", content, "text/plain")
    return client.post("/api/documents", {"file": file, "collection": collection, **fields})


def test_an_upload_is_accepted_with_its_document_and_job(library: Library) -> None:
    response = upload(library.client("editor"), title="Regulamin", tags=["a", "b"], valid_from="2024-03-12")
    assert response.status_code == 202
    queued = response.json()
    assert queued["document"]["title"] == "Regulamin"
    assert queued["document"]["tags"] == ["a", "b"]
    assert queued["document"]["valid_from"] == "2024-03-12"
    assert queued["job"]["status"] == "queued"
    assert Document.objects.get(pk=queued["document"]["id"]).size == 17


@every_viewer
def test_only_editors_may_upload(library: Library, viewer: str) -> None:
    expected = 202 if viewer == "superuser" else 403
    assert upload(library.client(viewer)).status_code == expected


def test_a_hidden_collection_cannot_be_uploaded_to_and_does_not_exist(library: Library) -> None:
    hidden = upload(library.client("editor"), "restricted").json()
    missing = upload(library.client("editor"), "missing").json()
    assert hidden["errors"][0]["field"] == "collection"
    assert hidden["errors"][0]["code"] == missing["errors"][0]["code"] == "does_not_exist"


def test_the_same_uri_again_replaces_the_document(library: Library) -> None:
    first = upload(library.client("editor"), uri="x:1").json()["document"]["id"]
    second = upload(library.client("editor"), content=b"Nowy tekst.", uri="x:1").json()["document"]["id"]
    assert first == second


def test_an_empty_file_is_refused_with_a_remedy(library: Library) -> None:
    response = upload(library.client("editor"), content=b"")
    assert response.status_code == 422
    assert response.json()["code"] == "empty"
    assert response.json()["remedy"]


def test_a_file_over_the_limit_is_refused(library: Library, settings: Settings) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"max_bytes": 10}}
    assert rag_settings().ingestion.max_bytes == 10
    response = upload(library.client("editor"))
    assert response.status_code == 422
    assert response.json()["code"] == "too_large"


def test_a_file_of_exactly_the_limit_is_accepted(library: Library, settings: Settings) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"max_bytes": 10}}
    assert upload(library.client("editor"), content=b"x" * 10).status_code == 202


def test_validity_must_be_in_order(library: Library) -> None:
    response = upload(library.client("editor"), valid_from="2024-02-01", valid_to="2024-01-01")
    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "valid_to"


def test_deleting_needs_the_permission_and_removes_everything(library: Library) -> None:
    document = library.ready["public"]
    address = f"/api/documents/{document.pk}"
    assert library.client("member").delete(address).status_code == 403
    assert library.client("editor").delete(address).status_code == 204
    assert not Document.objects.filter(pk=document.pk).exists()


def test_an_editor_cannot_delete_what_is_hidden(library: Library) -> None:
    assert library.client("editor").delete(f"/api/documents/{library.ready['restricted'].pk}").status_code == 404


def test_a_session_without_a_csrf_token_changes_nothing(library: Library) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(library.viewers["superuser"])
    assert client.delete(f"/api/documents/{library.ready['public'].pk}").status_code == 403


def test_lists_are_filtered_and_paged(library: Library) -> None:
    client = library.client("superuser")
    assert client.get("/api/documents?tag=kadry").json()["count"] == 3
    assert client.get("/api/documents?search=czeka").json()["count"] == 3
    assert client.get("/api/documents?collection=internal").json()["count"] == 2
    page = client.get("/api/documents?page_size=2&page=2").json()
    assert page["count"] == 6
    assert len(page["results"]) == 2


def test_a_document_of_which_something_was_not_read_is_listed_unless_one_asks_otherwise(library: Library) -> None:
    client, document = library.client("editor"), library.ready["public"]
    Document.objects.filter(pk=document.pk).update(warnings=["hidden_sheets"])
    listed = {asked: client.get(f"/api/documents?status=ready{asked}").json() for asked in ("", "&warnings=true")}
    assert document.pk in {one["id"] for one in listed[""]["results"]}
    assert [one["id"] for one in listed["&warnings=true"]["results"]] == [document.pk]
    without = client.get("/api/documents?status=ready&warnings=false").json()
    assert document.pk not in {one["id"] for one in without["results"]}
