"""Editors say who alone reads a document, by a page and by the API, and are told who does and why."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingestion.models import Document
from ingestion.selectors import visible_documents
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from tests.ingestion.api.library import Library


@pytest.fixture
def document(library: Library) -> Document:
    return library.ready["internal"]


@pytest.fixture
def editor(library: Library) -> User:
    editor = User.objects.get(username="editor")
    editor.user_permissions.add(Permission.objects.get(codename="view_user"))
    editor.groups.add(User.objects.get(username="member").groups.get())
    return editor


def page(document: Document) -> str:
    return reverse("admin:ingestion_document_readers", args=[document.pk])


def patch(client: Client, document: Document, **body: Any) -> Any:
    return client.patch(f"/api/documents/{document.pk}", body, content_type="application/json")


class TestPage:
    def test_an_editor_gives_it_readers_of_its_own(self, library: Library, document: Document, editor: User) -> None:
        client, kadry = library.client("editor"), editor.groups.get()
        before = client.get(page(document)).content.decode()
        assert "Widzą wszyscy zalogowani" in before
        sent = client.post(page(document), {"limited": "yes", "groups": [kadry.pk], "users": "signed_in"})
        assert sent.status_code == 302, sent.content.decode()
        document.refresh_from_db()
        assert document.edited == ["readers"]
        shown = client.get(page(document)).content.decode()
        assert "Kadry" in shown
        assert "signed_in" in shown
        assert visible_documents(library.viewers["signed_in"]).contains(document)
        other = User.objects.create_user("inny")
        assert not visible_documents(other).contains(document)
        checked = client.get(page(document), {"q": "inny"}).content.decode()
        assert 'data-sees="no"' in checked
        assert "nie jest wśród czytelników dokumentu" in checked

    def test_nobody_shuts_themselves_out(self, library: Library, document: Document, editor: User) -> None:
        sent = library.client("editor").post(page(document), {"limited": "yes", "users": "member"})
        assert sent.status_code == 200
        document.refresh_from_db()
        assert not document.restricted

    def test_the_source_has_its_word_again(self, library: Library, document: Document, editor: User) -> None:
        kadry = Readers(groups=frozenset(editor.groups.values_list("pk", flat=True)))
        set_document_rights(document=document, readers=kadry, origin="source")
        client = library.client("editor")
        client.post(page(document), {"limited": ""})
        assert not Document.objects.get(pk=document.pk).restricted
        client.post(reverse("admin:ingestion_document_readers_back", args=[document.pk]))
        assert Document.objects.get(pk=document.pk).restricted

    def test_who_may_not_read_it_finds_no_page(self, library: Library, document: Document) -> None:
        set_document_rights(document=document, readers=Readers(), origin="source")
        assert library.client("editor").get(page(document)).status_code == 404
        change = reverse("admin:ingestion_document_change", args=[document.pk])
        assert library.client("editor").get(change).status_code == 302
        assert library.client("superuser").get(change).status_code == 200


class TestAPI:
    def test_readers_are_set_and_told_to_editors(self, library: Library, document: Document, editor: User) -> None:
        client = library.client("editor")
        changed = patch(client, document, readers={"groups": ["Kadry"], "users": ["signed_in"]})
        assert changed.status_code == 200, changed.content
        expected = {"groups": ["Kadry"], "users": ["signed_in"], "origin": "editor"}
        assert (changed.json()["restricted"], changed.json()["readers"]) == (True, expected)
        reader = library.client("signed_in").get(f"/api/documents/{document.pk}").json()
        assert (reader["restricted"], reader["readers"]) == (True, None)
        assert patch(client, document, readers=None).json()["restricted"] is False

    def test_other_readers_are_another_etag(self, library: Library, document: Document, editor: User) -> None:
        client, address = library.client("editor"), f"/api/documents/{document.pk}"
        tag = client.get(address)["ETag"]
        patch(client, document, readers={"groups": ["Kadry"]})
        again = client.patch(address, {"readers": None}, content_type="application/json", headers={"If-Match": tag})
        assert again.status_code == 412

    @pytest.mark.parametrize("readers", [{"groups": ["Nikt"]}, {"users": ["member"]}, {}, "Kadry"])
    def test_wrong_readers_are_refused(self, readers: Any, library: Library, document: Document, editor: User) -> None:
        assert patch(library.client("editor"), document, readers=readers).status_code == 400
        assert not Document.objects.get(pk=document.pk).restricted

    def test_nobody_brings_a_version_of_what_they_may_not_read(self, library: Library, document: Document) -> None:
        set_document_rights(document=document, readers=Readers(), origin="source")
        client, checksum = library.client("editor"), document.checksum
        for said in ({"uri": document.uri}, {"new_version_of": document.pk}):
            file = SimpleUploadedFile("urlopy.md", b"# Urlopy\n\nNie ma.\n")
            sent = client.post("/api/documents", {"file": file, "collection": "internal", **said})
            assert sent.status_code in (409, 422), sent.content
            assert "Urlopy" not in sent.content.decode()
        assert Document.objects.get(pk=document.pk).checksum == checksum
