"""What became of each uploaded file, until all are ready."""

import hashlib
from typing import Any

from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingestion.jobs import run_job
from ingestion.models import Collection, Document
from tests.ingestion.api.library import Library

UPLOAD, UPLOADED = "admin:ingestion_document_upload", "admin:ingestion_document_uploaded"
CHECK = "admin:ingestion_document_check_files"


def upload(client: Client, collection: Collection, said: dict[str, Any] | None = None, **texts: str) -> dict[str, str]:
    """Of each file by name: its outcome. `said` are other fields of the form."""
    files = [SimpleUploadedFile(f"{name}.txt", text.encode()) for name, text in texts.items()]
    fields = {"originals": files, "collection": collection.pk, **(said or {})}
    page = client.post(reverse(UPLOAD), fields, follow=True)
    return {row.name.removesuffix(".txt"): row.outcome for row in page.context["rows"]}


def test_a_file_is_new_unchanged_refused_or_asked_about(library: Library) -> None:
    client, collection = library.client("editor"), library.collections["public"]
    assert upload(client, collection, a="Pierwszy.", b="Drugi.") == {"a": "new", "b": "new"}
    again = upload(client, collection, a="Pierwszy.", b="Drugi, inny.", c="", d="Pierwszy.")
    assert again == {"a": "unchanged", "b": "undecided", "c": "refused", "d": "unchanged"}
    assert not Document.objects.filter(file_name="b.txt").exclude(size=len("Drugi.")).exists()


def test_what_is_asked_about_names_the_documents_and_the_ways_on(library: Library) -> None:
    client, collection = library.client("editor"), library.collections["public"]
    upload(client, collection, b="Drugi.")
    upload(client, collection, b="Drugi, inny.")
    page = client.get(reverse(UPLOADED)).content.decode()
    assert reverse("admin:ingestion_document_new_version", args=[Document.objects.get(file_name="b.txt").pk]) in page
    assert "when_taken=another" in page


def test_each_file_is_what_its_editor_says(library: Library) -> None:
    client, collection = library.client("editor"), library.collections["public"]
    upload(client, collection, a="A.", b="B.", c="C.")
    a = Document.objects.get(file_name="a.txt")
    said = {"purpose": [f"version:{a.pk}", "another", "left_out"]}
    outcomes = upload(client, collection, said, a="A, inny.", b="B, inny.", c="C, inny.")
    assert outcomes == {"a": "version", "b": "new", "c": "left_out"}
    assert a.versions.count() == 2
    assert Document.objects.filter(file_name="b.txt").count() == 2
    assert Document.objects.get(file_name="c.txt").versions.count() == 1


def test_all_files_with_taken_names_are_what_the_editor_says_of_all(library: Library) -> None:
    client, collection = library.client("editor"), library.collections["public"]
    upload(client, collection, a="A.", b="B.")
    assert upload(client, collection, {"when_taken": "version"}, a="A, inny.", c="C.") == {"a": "version", "c": "new"}
    assert upload(client, collection, {"when_taken": "another"}, a="A, jeszcze inny.") == {"a": "new"}
    assert upload(client, collection, {"when_taken": "version"}, a="A, nowszy.") == {"a": "undecided"}  # of which?


def test_what_the_editor_fills_in_is_an_editors_word_and_what_is_left_empty_is_none(library: Library) -> None:
    client, collection = library.client("editor"), library.collections["public"]
    upload(client, collection, {"category": "regulaminy"}, a="A.")
    document = Document.objects.get(file_name="a.txt")
    assert (document.category, document.edited) == ("regulaminy", ["category"])
    upload(client, collection, {"when_taken": "version", "valid_to": "2026-12-31"}, a="A, inny.")
    document.refresh_from_db()
    assert (document.category, str(document.valid_to)) == ("regulaminy", "2026-12-31")
    assert document.edited == ["category", "valid_from", "valid_to"]


class TestBeforehand:
    """What the form says of chosen files before they are sent."""

    def check(self, library: Library, files: dict[str, bytes], **fields: Any) -> list[str]:
        sums = [hashlib.sha256(content).hexdigest() for content in files.values()]
        sent = {"collection": library.collections["public"].pk, "name": list(files), "checksum": sums, **fields}
        pieces: list[str] = library.client("editor").post(reverse(CHECK), sent).json()["files"]
        return pieces

    def test_a_new_file_the_same_file_and_a_taken_name_are_told_apart(self, library: Library) -> None:
        upload(library.client("editor"), library.collections["public"], a="A.")
        pieces = self.check(library, {"a.txt": b"A, inny.", "b.txt": b"A.", "c.txt": b"C.", "d": b"D.", "d ": b"."})
        document = Document.objects.get(file_name="a.txt")
        assert f'value="version:{document.pk}"' in pieces[0]
        assert 'data-alike="same"' in pieces[1]
        assert [piece.count('name="purpose"') for piece in pieces] == [1] * 5
        assert "data-alike" not in pieces[2]

    def test_two_files_of_one_name_at_once_are_asked_about(self, library: Library) -> None:
        fields = {"collection": library.collections["public"].pk, "name": ["x.txt", "x.txt"], "checksum": ["", ""]}
        pieces = library.client("editor").post(reverse(CHECK), fields).json()["files"]
        assert ["data-alike" in piece for piece in pieces] == [False, True]

    def test_where_the_same_file_is_elsewhere_is_told_only_to_who_may_see_it(self, library: Library) -> None:
        client = library.client("superuser")
        upload(client, library.collections["internal"], a="A.")
        upload(client, library.collections["restricted"], b="B.")
        seen, hidden = self.check(library, {"c.txt": b"A.", "d.txt": b"B."})
        assert 'data-alike="elsewhere"' in seen
        assert "data-alike" not in hidden

    def test_names_are_shown_and_never_run(self, library: Library) -> None:
        upload(library.client("editor"), library.collections["public"], **{"<img src=x onerror=alert(1)>": "A."})
        document = Document.objects.latest("pk")
        (piece,) = self.check(library, {document.file_name: b"B."})
        assert "<img" not in piece

    def test_a_hidden_collection_is_not_asked_about(self, library: Library) -> None:
        fields = {"collection": library.collections["restricted"].pk, "name": ["urlopy.md"], "checksum": [""]}
        assert library.client("editor").post(reverse(CHECK), fields).status_code == 404
        library.viewers["editor"].user_permissions.clear()  # type: ignore[union-attr]
        assert library.client("editor").post(reverse(CHECK), fields).status_code == 403


class TestNewVersion:
    def send(self, library: Library, document: Document, text: str, viewer: str = "editor") -> Any:
        address = reverse("admin:ingestion_document_new_version", args=[document.pk])
        return library.client(viewer).post(address, {"original": SimpleUploadedFile("inna.txt", text.encode())})

    def test_it_is_a_version_of_this_document_whatever_its_name(self, library: Library) -> None:
        document = library.ready["public"]
        assert self.send(library, document, "Nowa treść.").status_code == 302
        document.refresh_from_db()
        assert (document.file_name, document.versions.count()) == ("inna.txt", 2)
        assert document.jobs.filter(status="queued").exists()

    def test_the_same_content_is_no_version_and_a_refused_file_says_why(self, library: Library) -> None:
        document = library.ready["public"]
        with document.file.open() as original:
            self.send(library, document, original.read().decode())
        assert document.versions.count() == 1
        refused = self.send(library, document, "")
        assert refused.context["form"].errors

    def test_a_hidden_document_has_no_such_page(self, library: Library) -> None:
        assert self.send(library, library.ready["restricted"], "Tekst.").status_code == 404
        library.viewers["editor"].user_permissions.remove(Permission.objects.get(codename="change_document"))  # type: ignore[union-attr]
        assert self.send(library, library.ready["public"], "Tekst.").status_code == 403

    def test_the_documents_page_leads_there_and_reads_again(self, library: Library) -> None:
        document, client = library.ready["public"], library.client("editor")
        page = client.get(reverse("admin:ingestion_document_change", args=[document.pk])).content.decode()
        for name in ("new_version", "read_again"):
            assert reverse(f"admin:ingestion_document_{name}", args=[document.pk]) in page
        client.post(reverse("admin:ingestion_document_read_again", args=[document.pk]))
        assert document.jobs.filter(status="queued").exists()


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
