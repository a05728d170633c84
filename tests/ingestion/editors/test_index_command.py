"""`manage.py index` again: what changed, and nothing that somebody changed here."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from ingestion.models import Collection, Document, Job
from ingestion.services.documents import restore_version
from ingestion.services.files.samples import load_manifest
from ingestion.services.files.uploads import Purpose, take_upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path / "kadry", "Urlop trwa 20 dni.")


def filled(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "regulamin.txt").write_text(text)
    return folder


def index(path: Path, *options: str) -> dict[str, Any]:
    """What the command says."""
    out = io.StringIO()
    call_command("index", str(path), "--collection", "publiczna", "--json", *options, stdout=out)
    said: dict[str, Any] = json.loads(out.getvalue())
    return said


def test_it_says_in_json_what_became_of_each_file(folder: Path) -> None:
    (folder / "pusty.txt").write_text("")
    said = index(folder)
    assert (said["collection"], said["counts"]) == ("publiczna", {"new": 1, "refused": 1})
    empty, taken = said["files"]
    assert (empty["outcome"], empty["error_code"], Path(empty["path"]).name) == ("refused", "empty", "pusty.txt")
    document = Document.objects.get()
    assert (taken["document"], taken["uri"], taken["status"], taken["chunks"]) == (
        document.pk, "regulamin.txt", "ready", 1
    )  # fmt: skip
    (folder / "pusty.txt").unlink()
    assert index(folder)["counts"] == {"unchanged": 1}
    (folder / "regulamin.txt").write_text("Urlop trwa 26 dni.")
    assert index(folder)["counts"] == {"version": 1}


def test_a_file_that_did_not_change_undoes_no_version_that_somebody_sent_or_restored(
    folder: Path, superuser: User
) -> None:
    index(folder)
    document = Document.objects.get()
    purpose = Purpose(version_of=document.pk)
    take_upload(
        collection=document.collection,
        name="nowy.txt",
        content=b"Urlop trwa 26 dni.",
        author=superuser,
        purpose=purpose,
    )
    jobs = Job.objects.count()
    assert index(folder)["counts"] == {"unchanged": 1}
    document.refresh_from_db()
    assert (document.file_name, document.versions.count(), Job.objects.count()) == ("nowy.txt", 2, jobs)
    (folder / "regulamin.txt").write_text("Urlop trwa 30 dni.")
    assert index(folder)["counts"] == {"version": 1}
    restored = document.versions.get(number=1)
    restore_version(version=restored, author=superuser)
    assert index(folder)["counts"] == {"unchanged": 1}
    document.refresh_from_db()
    assert document.checksum == restored.checksum


def test_a_file_of_another_folder_with_the_same_name_is_asked_about(folder: Path, tmp_path: Path) -> None:
    index(folder)
    other = filled(tmp_path / "prawo", "Parking jest płatny.")
    refused = index(other)
    assert refused["counts"] == {"refused": 1}
    assert refused["files"][0]["error_code"] == "name_taken"
    assert "--when-taken" in refused["files"][0]["error_message"]
    assert Document.objects.get().versions.count() == 1


def test_told_so_it_is_another_document_for_good(folder: Path, tmp_path: Path) -> None:
    index(folder)
    other = filled(tmp_path / "prawo", "Parking jest płatny.")
    assert index(other, "--when-taken", "another")["files"][0]["uri"] == "regulamin (2).txt"
    (other / "regulamin.txt").write_text("Parking jest bezpłatny.")
    assert index(other)["counts"] == {"version": 1}
    assert index(folder)["counts"] == {"unchanged": 1}
    assert Document.objects.count() == 2


def test_told_so_it_is_a_new_version(folder: Path, tmp_path: Path) -> None:
    index(folder)
    other = filled(tmp_path / "prawo", "Urlop trwa 26 dni.")
    assert index(other, "--when-taken", "version")["counts"] == {"version": 1}
    assert Document.objects.get().versions.count() == 2


def test_a_folder_that_moved_is_still_the_same(folder: Path, tmp_path: Path) -> None:
    index(folder)
    moved = folder.rename(tmp_path / "przeniesione")
    (moved / "regulamin.txt").write_text("Urlop trwa 26 dni.")
    assert index(moved)["counts"] == {"version": 1}


def test_a_file_that_somebody_uploaded_under_the_same_name_is_asked_about(
    public: Collection, folder: Path, superuser: User
) -> None:
    take_upload(collection=public, name="regulamin.txt", content=b"Parking.", author=superuser)
    assert index(folder)["counts"] == {"refused": 1}


def test_an_index_of_an_older_release_goes_on(folder: Path) -> None:
    """It noted no places; what people did not send came from files."""
    index(folder)
    Document.objects.update(given={"title": ""})
    modified = Document.objects.get().modified
    assert index(folder)["counts"] == {"unchanged": 1}
    assert Document.objects.get().modified == modified
    Document.objects.update(given={"title": ""})
    (folder / "regulamin.txt").write_text("Urlop trwa 26 dni.")
    assert index(folder)["counts"] == {"version": 1}


def test_the_sample_loaded_again_leaves_what_an_editor_replaced_and_archived(tmp_path: Path, superuser: User) -> None:
    entry = {"path": "a.txt", "title": "A", "category": "c", "tags": [], "version": "1", "language": "pl"}
    described = {"slug": "urzad", "name": "Urząd", "description": "", "visibility": "public"}
    documents = [entry | {"valid_from": None, "valid_to": None}]
    (tmp_path / "manifest.json").write_text(json.dumps({"collections": [described | {"documents": documents}]}))
    (tmp_path / "a.txt").write_text("Urlop trwa 20 dni.")
    (document,) = load_manifest(path=tmp_path / "manifest.json", enqueue=False)
    purpose = Purpose(version_of=document.pk)
    take_upload(
        collection=document.collection, name="b.txt", content=b"Urlop trwa 26 dni.", author=superuser, purpose=purpose
    )
    (again,) = load_manifest(path=tmp_path / "manifest.json", enqueue=False)
    assert (again.pk, again.file_name, again.versions.count()) == (document.pk, "b.txt", 2)
