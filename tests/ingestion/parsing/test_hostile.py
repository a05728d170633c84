"""Every hostile file ends as ready or as failed with words for the editor, and the worker goes on."""

import time
from pathlib import Path
from typing import Any

import pytest

from ingestion.models import Chunk, Collection, Document, Job
from tests.conftest import AddDocument
from tests.ingestion.parsing.hostile import FILES

SECONDS = 10
CODES = {
    "corrupt", "empty", "encrypted", "extraction_failed", "no_text_layer", "out_of_memory", "parser_crashed",
    "too_large", "too_slow", "unsupported_media_type",
}  # fmt: skip


@pytest.fixture
def strict(settings: Any) -> None:
    limits = {"parse_seconds": SECONDS, "parse_total_seconds": SECONDS, "parse_memory_mb": 700, "max_bytes": 50_000_000}
    settings.RAG = {**settings.RAG, "ingestion": limits}


def test_there_are_at_least_forty_hostile_files() -> None:
    assert len(FILES) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("title", FILES)
def test_a_hostile_file_hurts_nobody(title: str, public: Collection, index: AddDocument, strict: None) -> None:
    name, build = FILES[title]
    content = build()
    started = time.monotonic()
    document = index(public, content, name=name)
    assert time.monotonic() - started < 3 * SECONDS
    job = document.jobs.get()
    if document.status == Document.Status.READY:
        assert job.status == Job.Status.SUCCEEDED
        assert Chunk.objects.filter(document=document).exists(), "never a silent empty document"
    else:
        assert (document.status, job.status) == (Document.Status.FAILED, Job.Status.FAILED)
        assert document.error_code in CODES, document.error_message
        assert len(document.error_message) > 20
    assert index(public, "Następny dokument.", name="next.txt").status == Document.Status.READY


@pytest.mark.parametrize("title", ["entity of a local file", "entity from elsewhere"])
def test_nothing_from_outside_the_file_comes_in(title: str, public: Collection, index: AddDocument) -> None:
    name, build = FILES[title]
    index(public, build(), name=name)
    assert not Chunk.objects.filter(text__contains="root:").exists()


def test_names_in_an_archive_write_nothing(public: Collection, index: AddDocument) -> None:
    name, build = FILES["names that climb out of the archive"]
    assert index(public, build(), name=name).status == Document.Status.READY
    assert not Path("/tmp/knowledgetree-escaped").exists()


def test_formulas_stay_text(public: Collection, index: AddDocument) -> None:
    name, build = FILES["CSV of formulas"]
    index(public, build(), name=name)
    assert Chunk.objects.filter(text__contains="=HYPERLINK").exists()
