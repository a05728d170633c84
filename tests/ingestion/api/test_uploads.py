"""What an upload is: new, a new version, another document of the same name, or content that is there already."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client
from pytest_django import Settings

from ingestion.models import Collection, Document, DocumentVersion
from tests.ingestion.api.library import Library, ready_document

Post = Callable[..., Any]
PARALLEL = 20


def send(client: Client, content: str, name: str = "regulamin.txt", collection: str = "public", **fields: Any) -> Any:
    file = SimpleUploadedFile(name, content.encode(), "text/plain")
    return client.post("/api/documents", {"file": file, "collection": collection, **fields})


@pytest.fixture
def post(library: Library) -> Post:
    client = library.client("editor")
    return lambda *args, **kwargs: send(client, *args, **kwargs)


def originals(root: Path) -> set[str]:
    return {path.name for path in root.rglob("*") if path.is_file()}


def test_another_file_of_the_same_name_is_asked_about_and_nothing_is_stored(library: Library, post: Post) -> None:
    first = post("Regulamin pracy.").json()["document"]
    asked = post("Regulamin parkingu.")
    assert (asked.status_code, asked.json()["code"]) == (409, "name_taken")
    assert [candidate["id"] for candidate in asked.json()["candidates"]] == [first["id"]]
    assert asked.json()["remedy"]
    kept = originals(Path(default_storage.location))  # type: ignore[attr-defined]
    assert kept == set(DocumentVersion.objects.values_list("checksum", flat=True))
    assert Document.objects.filter(file_name="regulamin.txt").count() == 1


def test_told_so_it_is_another_document(library: Library, post: Post) -> None:
    first = post("Regulamin pracy.").json()["document"]
    second = post("Regulamin parkingu.", another=True).json()
    assert (second["outcome"], second["document"]["uri"]) == ("new", "regulamin (2).txt")
    assert second["document"]["id"] != first["id"]
    assert second["document"]["file_name"] == "regulamin.txt"
    asked = post("Regulamin biblioteki.").json()
    assert {candidate["id"] for candidate in asked["candidates"]} == {first["id"], second["document"]["id"]}


def test_told_so_it_is_a_new_version_whatever_it_is_called(library: Library, post: Post) -> None:
    first = post("Regulamin pracy.").json()["document"]
    sent = post("Regulamin pracy z 2026.", "regulamin-2026.txt", new_version_of=first["id"]).json()
    assert (sent["outcome"], sent["document"]["id"], sent["document"]["uri"]) == (
        "version",
        first["id"],
        "regulamin.txt",
    )
    assert Document.objects.get(pk=first["id"]).versions.count() == 2


def test_the_same_content_is_not_stored_twice_whatever_it_is_called(library: Library, post: Post) -> None:
    first = post("Regulamin pracy.").json()["document"]
    for name in ("regulamin.txt", "kopia regulaminu.txt"):
        again = post("Regulamin pracy.", name)
        assert (again.status_code, again.json()["outcome"]) == (200, "unchanged")
        assert (again.json()["document"]["id"], again.json()["document"]["file_name"]) == (first["id"], "regulamin.txt")
    assert Document.objects.filter(checksum=first["checksum"]).count() == 1


def test_the_same_content_in_another_collection_is_a_document_of_its_own(library: Library, post: Post) -> None:
    """Its readers are others; the original is kept once."""
    first = post("Regulamin pracy.").json()["document"]
    second = post("Regulamin pracy.", collection="internal").json()
    assert (second["outcome"], second["document"]["id"] != first["id"]) == ("new", True)


def test_a_version_of_what_is_not_in_the_collection_is_refused_alike_seen_or_hidden(
    library: Library, post: Post
) -> None:
    hidden = post("Tekst.", new_version_of=library.ready["restricted"].pk).json()
    missing = post("Tekst.", new_version_of=999_999).json()
    assert hidden["code"] == missing["code"] == "no_such_document"


def test_contradictory_purposes_are_refused(library: Library, post: Post) -> None:
    assert post("Tekst.", another=True, uri="x:1").status_code == 400
    assert post("Tekst.", metadata="[1]").json()["errors"][0]["field"] == "metadata"


def test_a_validity_that_contradicts_what_was_said_before_is_refused(library: Library, post: Post) -> None:
    post("Regulamin pracy.", uri="x:1", valid_from="2026-03-01")
    refused = post("Regulamin pracy.", uri="x:1", valid_to="2026-01-01")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_validity")


def test_candidates_are_masked_for_those_who_may_not_see_personal_data(library: Library) -> None:
    Collection.objects.filter(slug="public").update(mask_personal_data=True)
    library.viewers["editor"].user_permissions.remove(Permission.objects.get(codename="see_personal_data"))  # type: ignore[union-attr]
    ready_document(library.collections["public"], name="Umowa 44051401359.txt")
    asked = send(library.client("editor"), "Inna umowa.", "Umowa 44051401359.txt").json()
    assert asked["candidates"]
    assert "44051401359" not in str(asked["candidates"])


class TestParallel:
    @pytest.fixture
    def upload_all(self, transactional_db: None, settings: Settings, tmp_path: Path) -> Callable[..., list[Any]]:
        """Twenty at once; their answers."""
        settings.MEDIA_ROOT = tmp_path
        Collection.objects.create(name="Publiczna", slug="public", visibility="public")
        editor = User.objects.create_superuser("szefowa")

        def upload(**fields: Any) -> list[Any]:
            def one(number: int) -> Any:
                try:
                    client = Client()
                    client.force_login(editor)
                    return send(client, f"Treść {number}.", **fields)
                finally:
                    connections.close_all()

            with ThreadPoolExecutor(PARALLEL) as threads:
                return list(threads.map(one, range(PARALLEL)))

        return upload

    @pytest.mark.slow
    def test_of_one_new_name_one_is_taken_and_the_others_are_asked(
        self, upload_all: Callable[..., list[Any]], tmp_path: Path
    ) -> None:
        answers = upload_all()
        assert sorted(answer.status_code for answer in answers) == [202] + [409] * (PARALLEL - 1)
        assert originals(tmp_path) == set(Document.objects.values_list("checksum", flat=True))

    @pytest.mark.slow
    def test_other_documents_of_one_name_are_all_taken(
        self, upload_all: Callable[..., list[Any]], tmp_path: Path
    ) -> None:
        answers = upload_all(another=True)
        assert [answer.status_code for answer in answers] == [202] * PARALLEL
        assert originals(tmp_path) == set(Document.objects.values_list("checksum", flat=True))
        assert Document.objects.count() == PARALLEL

    @pytest.mark.slow
    def test_versions_of_one_uri_are_all_taken(self, upload_all: Callable[..., list[Any]], tmp_path: Path) -> None:
        answers = upload_all(uri="regulamin")
        assert [answer.status_code for answer in answers] == [202] * PARALLEL
        assert Document.objects.count() == 1
        assert originals(tmp_path) == set(DocumentVersion.objects.values_list("checksum", flat=True))
