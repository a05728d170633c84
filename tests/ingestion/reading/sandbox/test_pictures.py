"""Pages are painted in another process, whose end hurts nobody."""

import os
import signal
from contextlib import suppress
from typing import Any

import pytest

from ingestion.errors import (
    CorruptDocument,
    ExtractionError,
    ParserCrashed,
    ParserOutOfMemory,
    ParserTooSlow,
    PicturesBusy,
)
from ingestion.reading.sandbox import ParsingLimits, marked_page, painted_page, warm
from ingestion.reading.sandbox.messages import Painted, PictureRequest
from ingestion.reading.sandbox.warm import WarmProcess
from tests.ingestion.reading.pdf_files import paragraph, pdf
from tests.ingestion.reading.sandbox.hostile import FILES

FILE = pdf([paragraph(["Urlop wypoczynkowy trwa 26 dni."])])
REQUEST = PictureRequest(page=1, width=800, language="pl", seconds=10)


def process_of(warm: WarmProcess) -> Any:
    assert warm._process is not None
    return warm._process._process


def test_a_page_comes_as_a_picture_with_the_places_of_words() -> None:
    assert painted_page(FILE, page=1, width=800)[8:12] == b"WEBP"
    text = "Urlop wypoczynkowy trwa 26 dni."
    assert len(marked_page(FILE, page=1, text=text, start=0, end=5).rectangles) == 1


def test_one_process_paints_many_pages() -> None:
    painted_page(FILE, page=1, width=800)
    first = process_of(warm.kept).pid
    painted_page(FILE, page=1, width=1200)
    assert process_of(warm.kept).pid == first


def test_a_damaged_file_is_an_error_with_its_class() -> None:
    with pytest.raises(CorruptDocument):
        painted_page(b"%PDF-1.7 broken", page=1, width=800)


@pytest.mark.slow
def test_a_process_that_died_between_two_pages_is_replaced() -> None:
    painted_page(FILE, page=1, width=800)
    os.kill(process_of(warm.kept).pid, signal.SIGSEGV)
    process_of(warm.kept).wait()
    assert painted_page(FILE, page=1, width=800)


def test_a_page_that_takes_too_long_ends_the_process_alone() -> None:
    warm = WarmProcess()
    with pytest.raises(ParserTooSlow):
        warm.ask(REQUEST, FILE, Painted, limits=ParsingLimits(seconds=0.01, total_seconds=0.01))
    assert warm._process is None


def test_who_waits_too_long_for_others_is_told_so() -> None:
    warm = WarmProcess()
    with warm._lock, pytest.raises(PicturesBusy):
        warm.ask(REQUEST, FILE, Painted, limits=ParsingLimits(), patience=0.01)


def test_a_process_that_gets_too_little_memory_is_an_error() -> None:
    with pytest.raises((ParserCrashed, ParserOutOfMemory)):
        WarmProcess().ask(REQUEST, FILE, Painted, limits=ParsingLimits(memory_mb=20))
    assert painted_page(FILE, page=1, width=800)


@pytest.mark.slow
@pytest.mark.parametrize("title", [title for title, (name, _) in FILES.items() if name.endswith(".pdf")])
def test_a_hostile_file_hurts_nobody(title: str) -> None:
    with suppress(ExtractionError):
        assert painted_page(FILES[title][1](), page=1, width=800)
    assert painted_page(FILE, page=1, width=800)
