"""The console of all commands: its language, its bars, its numbers, its errors and a reader who goes away."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.utils import translation

from knowledgetree import console
from knowledgetree.errors import KnowledgeTreeError

OURS = sorted(name for name, app in get_commands().items() if app in ("knowledgetree", "ingestion", "rag"))
POLISH = re.compile(r"[ąćęłńóśźżĄĆĘŁŃÓŚŹŻ„”]|\b(?:albo|jest|oraz|pytania|zbiór|dla|przez)\b")
ENGLISH = re.compile(r"\b(?:the|of|and|with|options|usage|which|not|Show|show|its|default)\b")


class Saying(console.Command):
    """Says what it is given."""

    help = "greeting"

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        self.say("words")
        if self.as_json:
            self.say_json({"zażółć": 1}, indent=None)


class Failing(console.Command):
    def handle(self, **options: Any) -> None:
        raise KnowledgeTreeError("Nie działa.", remedy="Napraw to.")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "pl"),
        ({"LANG": "C.UTF-8"}, "pl"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "de_DE.UTF-8"}, "pl"),
        ({"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "pl_PL"}, "pl"),
        ({"LANG": "pl_PL.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "pl_PL.UTF-8", "LANGUAGE": "de:en_GB:pl"}, "en"),
    ],
)
def test_the_language_is_what_gettext_would_choose_of_ours(environment: dict[str, str], language: str) -> None:
    assert console.terminal_language(environment) == language


@pytest.mark.parametrize("name", OURS)
def test_help_is_whole_in_either_language(name: str) -> None:
    command = load_command_class(get_commands()[name], name)
    assert isinstance(command, console.Command)
    said = {language: "\n".join(help_words(command, language)) for language in ("pl", "en")}
    assert POLISH.findall(said["en"]) == []
    assert ENGLISH.findall(said["pl"]) == []


def help_words(command: BaseCommand, language: str) -> Iterator[str]:
    """What --help says, without the names of options, their choices and what stands in backticks or angle brackets."""
    with translation.override(language):
        said = command.create_parser("manage.py", "name").format_help()
    for line in said.split("\n\n", 1)[1].split("\n"):
        words = re.sub(r"^\s+(?:-\w,? ?)?-\S.*?(?:\s{2,}|$)|^ {2}\w+ {2,}|`\S+`|--\S+|\{.*?\}|[A-Z]{2,}", " ", line)
        yield words


@pytest.mark.slow
def test_help_for_a_terminal_is_in_its_language() -> None:
    for language, words in (("en", "usage: "), ("pl", "użycie: ")):
        done = manage("help", "search", LANGUAGE=language)
        assert done.stdout.startswith(words)
        assert manage("search", "--help", LANGUAGE=language).stdout == done.stdout


@pytest.mark.parametrize(
    ("arguments", "polish", "english"),
    [
        (("search",), "błąd: brakuje argumentów: ", "error: the following arguments are required: "),
        (("calibrate", "--limit", "dużo"), "niepoprawna wartość typu int: 'dużo'", "invalid int value: 'dużo'"),
        (("calibrate", "--seed"), "potrzebna jest jedna wartość", "expected one argument"),
        (("calibrate", "--nie"), "nieznane argumenty: --nie", "unrecognized arguments: --nie"),
        (("calibrate", "--json=1"), "ta opcja nie przyjmuje wartości, a podano '1'", "ignored explicit argument '1'"),
    ],
)
def test_what_is_wrong_with_a_command_line_is_said_in_its_language(
    arguments: tuple[str, ...], polish: str, english: str, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    command = load_command_class(get_commands()[arguments[0]], arguments[0])
    before = dict(os.environ)
    for language, said in (("pl", polish), ("en", english)):
        monkeypatch.setenv("LANGUAGE", language)
        with pytest.raises(SystemExit, match="2"):
            command.run_from_argv(["manage.py", *arguments])
        assert said in capsys.readouterr().err
    monkeypatch.undo()
    assert dict(os.environ) == before


@pytest.mark.slow
def test_nobody_is_shown_a_trace_who_reads_no_further() -> None:
    """As behind `| head`: also of Django's own commands."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = manage("diffsettings", stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


def manage(*arguments: str, stdout: int = subprocess.PIPE, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, **environment},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def test_programs_get_json_and_nothing_else() -> None:
    for arguments, said in (([], "words\n"), (["--json"], '{"zażółć": 1}\n')):
        out = StringIO()
        run(Saying(stdout=out), *arguments)
        assert out.getvalue() == said


def test_an_error_of_ours_ends_the_command_with_its_remedy_said_once() -> None:
    with pytest.raises(CommandError, match=r"^Nie działa\. Napraw to\.$"):
        run(Failing())


def run(command: console.Command, *arguments: str) -> None:
    options = vars(command.create_parser("", "name").parse_args(list(arguments)))
    command.execute(**{**options, "skip_checks": True})


def drawn(*, quiet: bool) -> str:
    """What a bar writes to a terminal."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stderr", terminal)
        patched.setenv("TERM", "xterm")
        with console.progress_bar("Dokumenty", quiet=quiet) as bar:
            bar(1, 4, doing="Liczenie", note="koniec o 12:00")
    shown = b""
    with suppress(OSError):  # a terminal whose other end is closed has no end of file
        while piece := os.read(ours, 65536):
            shown += piece
    os.close(ours)
    return shown.decode()


def test_a_terminal_is_shown_how_far_the_work_is() -> None:
    shown = drawn(quiet=False)
    assert "Liczenie" in shown
    assert "1/4" in shown
    assert "12:00" in shown
    assert "Liczenie" not in drawn(quiet=True)


def test_a_file_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress_bar("Dokumenty") as bar:
        bar(1, 4)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("language", "said"),
    [("pl", ["0,125", "+1,50", "1 234 567", "12 %", "–"]), ("en", ["0.125", "+1.50", "1,234,567", "12%", "–"])],
)
def test_numbers_are_written_as_the_reader_writes_them(language: str, said: list[str]) -> None:
    with translation.override(language):
        assert [
            console.number(0.125),
            console.number(1.5, 2, sign="+"),
            console.grouped(1_234_567),
            console.percent(0.12),
            console.percent(None),
        ] == said


def test_cells_are_as_wide_as_their_column() -> None:
    assert console.row((-6, 4, 0), "ab", 12, " koniec") == "ab      12 koniec"


def test_bars_are_in_proportion_and_anything_shows() -> None:
    assert [console.bar(value, 8, width=8) for value in (8, 4, 1.5, 0)] == ["████████", "████", "█▌", ""]
    assert console.bar(1, 100_000, width=8) == "▏"
    assert console.bar(1, 0) == ""
