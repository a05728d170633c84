"""Archives in a folder through the real job: their files are documents that come, change and go with them."""

import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document, Source, SourceAddress
from tests.ingestion.syncing.conftest import Sync

_Status = Document.Status
pytestmark = pytest.mark.slow


def pack(path: Path, files: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)


@pytest.fixture
def archive(folder: Path) -> Path:
    pack(folder / "akta.zip", {"umowa.txt": "Umowa najmu.", "2024/aneks.txt": "Aneks do umowy.", "puste.txt": ""})
    return folder / "akta.zip"


def counted(source: Source, sync: Sync) -> dict[str, int]:
    """The numbers that are not zero. Two files are always there."""
    return {name: number for name, number in sync(source).counts.items() if number and name != "reasons"}


def statuses() -> dict[str, str]:
    return {one.uri.partition("!")[2]: one.status for one in Document.objects.filter(uri__contains=".zip!")}


def test_files_of_an_archive_are_documents_and_cost_nothing_unchanged(
    folder_source: Source, archive: Path, sync: Sync
) -> None:
    assert counted(folder_source, sync) == {"new": 4}
    assert set(statuses()) == {"umowa.txt", "2024/aneks.txt"}
    assert not Document.objects.filter(uri__endswith=".zip").exists()
    before = list(SourceAddress.objects.order_by("pk").values())
    archive.chmod(0)  # it need not be opened
    assert counted(folder_source, sync) == {"unchanged": 4}
    assert list(SourceAddress.objects.order_by("pk").values()) == before


def test_a_changed_archive_changes_its_documents_alone(folder_source: Source, archive: Path, sync: Sync) -> None:
    Source.objects.update(gone_policy="archive")
    folder_source.refresh_from_db()
    counted(folder_source, sync)
    pack(archive, {"umowa.txt": "Umowa najmu, tekst jednolity.", "nowy.txt": "Nowy."})
    assert counted(folder_source, sync) == {"new": 1, "changed": 1, "unchanged": 2, "gone": 1}
    assert statuses()["2024/aneks.txt"] == _Status.ARCHIVED
    assert counted(folder_source, sync) == {"unchanged": 4}
    assert statuses()["2024/aneks.txt"] == _Status.ARCHIVED
    pack(archive, {"umowa.txt": "Umowa najmu, tekst jednolity."})
    archive.write_bytes(archive.read_bytes()[:60])
    assert counted(folder_source, sync) == {"unchanged": 2, "failed": 1}
    archive.unlink()
    assert counted(folder_source, sync) == {"unchanged": 2, "gone": 2}
    assert set(statuses().values()) == {_Status.ARCHIVED}


def test_an_archive_that_was_taken_in_part_is_taken_to_its_end(
    folder_source: Source, archive: Path, sync: Sync
) -> None:
    counted(folder_source, sync)
    Document.objects.filter(uri__endswith="!umowa.txt").delete()
    SourceAddress.objects.filter(uri__endswith="!umowa.txt").delete()
    assert counted(folder_source, sync) == {"new": 1, "unchanged": 3}


def test_an_archive_that_is_uploaded_becomes_its_documents(
    public: Collection, archive: Path, admin_client: Client, admin_user: User
) -> None:
    page = reverse("admin:ingestion_document_upload")
    for text, outcome in (("Umowa najmu.", "new"), ("Umowa najmu, zmieniona.", "version")):
        pack(archive, {"umowa.txt": text, "../zle.txt": "x"})
        file = SimpleUploadedFile("akta.zip", archive.read_bytes())
        answer = admin_client.post(page, {"collection": public.pk, "originals": [file]}, follow=True)
        assert answer.status_code == 200
        document = Document.objects.get()
        assert (document.uri, document.file_name) == ("akta.zip!umowa.txt", "umowa.txt"), outcome
    assert document.versions.count() == 2
