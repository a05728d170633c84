"""Reading in another process: the same texts and errors as in this one, and its end hurts nobody."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from ingestion.errors import CorruptDocument, EncryptedDocument, ParserCrashed, ParserOutOfMemory, ParserTooSlow
from ingestion.reading.registry import extract
from ingestion.reading.sandbox import ParsingLimits, parse, warm
from ingestion.reading.sandbox.process import ReadingProcess
from ingestion.types import ExtractedText
from tests.ingestion.reading.office_files import encrypted_office
from tests.ingestion.reading.pdf_files import paragraph, pdf

BOUNDS = {"max_bytes": 50_000_000, "max_characters": 20_000_000}
BOOK = pdf([paragraph([f"To jest strona {n} naszej książki o urlopach."]) for n in range(1, 41)], title="O urlopach")


def read(content: bytes, name: str, **options: Any) -> ExtractedText:
    return parse(content, name=name, **{"limits": ParsingLimits(), **BOUNDS, **options})[1]


def warm_process() -> int:
    read(b"tekst", "a.txt")
    process: Any = warm.kept._process
    return int(process._process.pid)


@pytest.mark.parametrize(
    ("content", "name"),
    [(b"---\ntags: [a, b]\n---\n# Tytu\xc5\x82\n\ntekst", "a.md"), (BOOK, "b.pdf"), ("ąę\n".encode("cp1250"), "c.txt")],
)
def test_a_text_arrives_as_it_was_read(content: bytes, name: str) -> None:
    assert parse(content, name=name, limits=ParsingLimits(), **BOUNDS) == extract(content, name=name, **BOUNDS)


def test_an_error_arrives_with_its_class_and_in_the_language_of_the_worker() -> None:
    with translation.override("pl"), pytest.raises(EncryptedDocument) as refused:
        read(encrypted_office(), "a.docx")
    assert str(refused.value).startswith("Plik jest chroniony hasłem.")
    with translation.override("en"), pytest.raises(CorruptDocument) as damaged:
        read(b"%PDF-1.7 broken", "a.pdf")
    assert "damaged" in str(damaged.value)


def test_progress_is_told_page_by_page() -> None:
    told: list[tuple[int, int]] = []
    read(BOOK, "b.pdf", progress=lambda done, total: told.append((done, total)))
    assert {(n, 40) for n in range(1, 41)} <= set(told)


def test_one_process_reads_many_files() -> None:
    assert warm_process() == warm_process()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_the_reading_process_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://kt:tajne@db/kt")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "tajny-klucz")
    warm.kept.end()
    environment = Path(f"/proc/{warm_process()}/environ").read_bytes()
    assert b"taj" not in environment
    assert b"PATH=" in environment
    status = Path(f"/proc/{warm_process()}/status").read_text()
    assert "NoNewPrivs:\t1" in status
    sockets = [one for one in open_files(warm_process()) if "socket" in one]
    assert len(sockets) == 1, "only the one that it answers through"


def open_files(process: int) -> Iterator[str]:
    """But for what it closes meanwhile."""
    for one in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            yield os.readlink(one)


def killing(number: int) -> Any:
    """A progress that kills the reader at its first page, the first time."""
    killed = []

    def progress(done: int, total: int) -> None:
        assert warm.kept._process is None, "a process at work serves nobody else"
        if not killed and (process := processes[-1]):
            killed.append(process)
            os.kill(process, number)

    return progress


processes: list[int] = []


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the reading processes, as they are started; none is warm yet.

    None runs ahead of who listens: on a busy machine the last page was read before anybody had heard of the first.
    """
    processes.clear()
    warm.kept.end()
    start = ReadingProcess.__init__

    def narrow() -> tuple[Any, Any]:
        ours, theirs = Pipe()
        with socket.socket(fileno=os.dup(theirs.fileno())) as end:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)  # the least there is: a few messages
        return ours, theirs

    def noted(self: Any, limits: ParsingLimits) -> None:
        start(self, limits)
        processes.append(self._process.pid)

    monkeypatch.setattr(ReadingProcess, "__init__", noted)
    monkeypatch.setattr("ingestion.reading.sandbox.process.Pipe", narrow)
    return processes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "error"),
    [(signal.SIGSEGV, ParserCrashed), (signal.SIGKILL, ParserOutOfMemory), (signal.SIGXCPU, ParserTooSlow)],
)
def test_a_reader_that_dies_fails_the_file_with_a_reason(
    started: list[int], number: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        read(BOOK, "b.pdf", progress=killing(number))
    assert len(started) == 1
    assert read(b"dalej", "a.txt").text == "dalej\n"


@pytest.mark.slow
def test_a_file_is_not_blamed_for_what_earlier_files_did_to_the_reader(started: list[int]) -> None:
    read(b"pierwszy", "a.txt")
    assert len(read(BOOK, "b.pdf", progress=killing(signal.SIGSEGV)).pages) == 40
    assert len(started) == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="macOS does not keep limits of memory")
def test_a_file_that_takes_too_much_memory_fails_alone() -> None:
    with pytest.raises(ParserOutOfMemory) as refused:
        read(b"ala ma kota " * 4_000_000, "a.txt", limits=ParsingLimits(memory_mb=200))
    assert "200 MB" in str(refused.value)
    assert read(b"dalej", "a.txt").text == "dalej\n"


@pytest.mark.slow
@pytest.mark.parametrize("limits", [ParsingLimits(seconds=0.01), ParsingLimits(total_seconds=0.01)])
def test_a_file_that_takes_too_long_fails_alone(limits: ParsingLimits, started: list[int]) -> None:
    with pytest.raises(ParserTooSlow):
        read(BOOK, "b.pdf", limits=limits)
    assert not Path(f"/proc/{started[0]}").exists()
    assert read(b"dalej", "a.txt").text == "dalej\n"


@pytest.mark.slow
def test_who_stops_listening_stops_the_reading(started: list[int]) -> None:
    class Cancelled(BaseException):
        pass

    def progress(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        read(BOOK, "b.pdf", progress=progress)
    assert not Path(f"/proc/{started[0]}").exists()


@pytest.mark.slow
def test_nothing_of_a_file_stays_on_the_disk(started: list[int], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(ParserCrashed):
        read(BOOK, "b.pdf", progress=killing(signal.SIGSEGV))
    assert list(tmp_path.iterdir()) == []
