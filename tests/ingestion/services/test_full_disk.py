"""A full disk: nothing half is kept, words say what to do, and with room again everything goes on."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingestion.errors import StorageFailed
from ingestion.models import Collection, Document
from ingestion.services.documents import add_document
from tests.conftest import AddDocument, index_in_job

KILOBYTES = 64
LARGE = b"Urlop trwa 26 dni. " * 6000  # 114 kB


@pytest.fixture
def index(db: None) -> AddDocument:
    return index_in_job


@pytest.fixture
def small_disk(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """The originals' folder on a disk of its own, of 64 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={KILOBYTES}k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk, and not everywhere")
    settings.MEDIA_ROOT = folder
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_keeps_no_half_of_a_file(small_disk: Path, public: Collection, index: AddDocument) -> None:
    with pytest.raises(StorageFailed) as refused:
        index(public, LARGE)
    assert refused.value.retryable
    assert not Document.objects.exists()
    assert [path for path in small_disk.rglob("*") if path.is_file()] == []
    assert index(public, "Krótki dokument.").status == Document.Status.READY
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    assert index(public, LARGE, name="b.txt").status == Document.Status.READY


def test_a_file_that_a_power_cut_left_unfinished_is_written_anew(public: Collection, index: AddDocument) -> None:
    path = Path(index(public, LARGE).file.path)
    path.write_bytes(LARGE[:100])
    document = index(public, LARGE, name="b.txt")
    assert (document.status, path.read_bytes()) == (Document.Status.READY, LARGE)


def test_an_original_that_changed_on_the_disk_is_not_indexed(public: Collection, index: AddDocument) -> None:
    document = add_document(collection=public, name="a.txt", content=LARGE, enqueue=False)
    Path(document.file.path).write_bytes(LARGE[:100])
    again = index(public, LARGE, name="a.txt")
    assert (again.status, again.error_code) == (Document.Status.FAILED, "original_damaged")
    assert index(public, LARGE, name="a.txt").status == Document.Status.READY
