"""Every hostile file ends as ready or as failed with words for the editor, and the worker goes on."""

from pathlib import Path
from typing import Any

import pytest

from ingestion.errors import CorruptDocument
from ingestion.models import Chunk, Collection, Document, Job
from ingestion.reading.ooxml import Parts
from tests.conftest import AddDocument, index_in_job
from tests.ingestion.reading.sandbox.hostile import FILES
from tests.ingestion.reading.sandbox.hostile_office import W, word_xml
from tests.web_site import Page, WebSite

SECONDS = 10
PATIENCE = 120  # seconds: a busy machine is slow; work that grows with the square of the length takes days
HARMLESS = ("a million spaces",)
CODES = {
    "corrupt", "empty", "encrypted", "extraction_failed", "no_text_layer", "out_of_memory", "parser_crashed",
    "too_large", "too_slow", "unsupported_media_type",
}  # fmt: skip


@pytest.fixture
def index(db: None) -> AddDocument:
    return index_in_job


@pytest.fixture
def strict(settings: Any) -> None:
    limit(settings, seconds=SECONDS)


def limit(settings: Any, *, seconds: int) -> None:
    limits = {"parse_seconds": seconds, "parse_total_seconds": seconds, "parse_memory_mb": 700, "max_bytes": 50_000_000}
    settings.RAG = {**settings.RAG, "ingestion": limits}


def test_there_are_at_least_forty_hostile_files() -> None:
    assert len(FILES) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("title", FILES)
def test_a_hostile_file_hurts_nobody(title: str, public: Collection, index: AddDocument, strict: None) -> None:
    name, build = FILES[title]
    content = build()
    document = index(public, content, name=name)
    job = document.jobs.get()
    if document.status == Document.Status.READY:
        assert job.status == Job.Status.SUCCEEDED
        assert Chunk.objects.filter(document=document).exists(), "never a silent empty document"
    else:
        assert (document.status, job.status) == (Document.Status.FAILED, Job.Status.FAILED)
        assert document.error_code in CODES, document.error_message
        assert len(document.error_message) > 20
    assert index(public, "Następny dokument.", name="next.txt").status == Document.Status.READY


@pytest.mark.parametrize("title", HARMLESS)
def test_a_file_that_is_only_long_is_read_in_the_time_of_a_file(
    title: str, public: Collection, index: AddDocument, settings: Any
) -> None:
    limit(settings, seconds=PATIENCE)
    name, build = FILES[title]
    document = index(public, build(), name=name)
    assert (document.status, document.error_code) == (Document.Status.READY, "")


def test_an_entity_brings_in_neither_a_file_of_this_machine_nor_a_page_of_the_web(
    public: Collection, index: AddDocument, tmp_path: Path
) -> None:
    """Where it would be text if it were expanded."""
    secret = tmp_path / "tajne.txt"
    secret.write_text("kwarcolit")
    with WebSite({"/": Page('<!ENTITY a11 "kwarcolit">')}) as site:
        declared = (f'<!ENTITY a11 SYSTEM "{secret.as_uri()}">', f'<!ENTITY % p SYSTEM "{site.url}/"> %p;')
        for doctype in declared:
            body = b"<w:p><w:r><w:t>Umowa &a11; najmu</w:t></w:r></w:p>"
            document = index(public, word_xml(body, f"<!DOCTYPE r [{doctype}]>".encode()), name="a.docx")
            assert (document.status, document.error_code) == (Document.Status.FAILED, "corrupt")
        assert site.requests == []
    assert not Chunk.objects.exists()


def test_a_part_that_declares_entities_is_refused_whichever_way_it_is_read() -> None:
    declared = b'<!DOCTYPE r [<!ENTITY a11 "kwarcolit">]>'
    with Parts(word_xml(b"<w:p><w:r><w:t>&a11;</w:t></w:r></w:p>", declared)) as parts:
        with pytest.raises(CorruptDocument):
            list(parts.elements("word/document.xml", f"{{{W}}}t"))
        with pytest.raises(CorruptDocument):
            parts.tree("word/document.xml")


def test_names_in_an_archive_write_nothing(public: Collection, index: AddDocument) -> None:
    name, build = FILES["names that climb out of the archive"]
    assert index(public, build(), name=name).status == Document.Status.READY
    assert not Path("/tmp/knowledgetree-escaped").exists()


def test_formulas_stay_text(public: Collection, index: AddDocument) -> None:
    name, build = FILES["CSV of formulas"]
    index(public, build(), name=name)
    assert Chunk.objects.filter(text__contains="=HYPERLINK").exists()
