"""A folder of the server, with what people put into folders."""

import os
from pathlib import Path
from typing import Any

import pytest

from ingestion.sources import (
    FetchedDocument,
    FetchFailure,
    FolderOptions,
    Gone,
    Known,
    Outcome,
    Skipped,
    Unchanged,
    read_folder,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "dokumenty"
    (root / "prawo").mkdir(parents=True)
    (root / "a.txt").write_text("pierwszy")
    (root / "prawo" / "ustawa.md").write_text("# Ustawa")
    return root


def read(folder: Path, known: dict[str, Known] | None = None, **options: Any) -> list[Outcome]:
    return list(read_folder(folder, options=FolderOptions(**options), known=known or {}))


def versions(outcomes: list[Outcome]) -> dict[str, Known]:
    return {outcome.uri: outcome.version for outcome in outcomes if isinstance(outcome, (FetchedDocument, Unchanged))}


def test_every_file_is_found_under_its_path(folder: Path) -> None:
    first, second = read(folder)
    assert isinstance(first, FetchedDocument)
    assert (first.uri, first.name, first.content) == ("a.txt", "a.txt", b"pierwszy")
    assert isinstance(second, FetchedDocument)
    assert (second.uri, second.name) == ("prawo/ustawa.md", "ustawa.md")


def test_hidden_files_are_not_read_and_patterns_choose(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "x.md").write_text("x")
    (folder / ".haslo").write_text("x")
    outcomes = read(folder, include=("*.md",))
    assert outcomes[0] == Skipped(uri="a.txt", reason="excluded")
    assert [outcome.uri for outcome in outcomes[1:]] == ["prawo/ustawa.md"]


class TestAgain:
    def test_an_unchanged_file_is_not_opened(self, folder: Path) -> None:
        known = versions(read(folder))
        time = (folder / "a.txt").stat().st_mtime_ns
        (folder / "a.txt").write_text("podmiana")  # as long as before, and with the old time: only reading would tell
        os.utime(folder / "a.txt", ns=(time, time))
        assert [type(outcome) for outcome in read(folder, known)] == [Unchanged, Unchanged]
        assert versions(read(folder, known)) == known

    def test_a_touched_file_with_the_same_content_is_unchanged(self, folder: Path) -> None:
        known = versions(read(folder))
        os.utime(folder / "a.txt", ns=(1, 1))
        (again, _) = read(folder, known)
        assert isinstance(again, Unchanged)
        assert again.version.last_modified == "1:8"
        assert again.version.checksum == known["a.txt"].checksum

    def test_changed_files_are_found_and_missing_ones_gone(self, folder: Path) -> None:
        known = versions(read(folder))
        (folder / "prawo" / "ustawa.md").write_text("# Ustawa zmieniona")
        (folder / "a.txt").unlink()
        changed, gone = read(folder, known)
        assert isinstance(changed, FetchedDocument)
        assert gone == Gone(uri="a.txt")

    def test_nothing_is_gone_while_the_folder_is_away(self, folder: Path) -> None:
        (outcome,) = read(folder / "nie-ma", {"a.txt": Known()})
        assert isinstance(outcome, FetchFailure)
        assert outcome.retryable

    @pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
    def test_nothing_is_gone_from_a_part_that_cannot_be_read(self, folder: Path) -> None:
        known = versions(read(folder))
        os.chmod(folder / "prawo", 0)
        try:
            outcomes = read(folder, known)
        finally:
            os.chmod(folder / "prawo", 0o700)
        assert not any(isinstance(outcome, Gone) for outcome in outcomes)


class TestTraps:
    def test_no_link_leads_out(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "tajne").mkdir()
        (tmp_path / "tajne" / "haslo.txt").write_text("tajne")
        (folder / "link.txt").symlink_to(tmp_path / "tajne" / "haslo.txt")
        (folder / "link-folder").symlink_to(tmp_path / "tajne")
        (folder / "etc").symlink_to("/etc")
        outcomes = {outcome.uri: outcome for outcome in read(folder)}
        assert outcomes["link.txt"] == Skipped(uri="link.txt", reason="link")
        assert all("haslo" not in uri and "passwd" not in uri for uri in outcomes)

    def test_a_link_inside_is_read(self, folder: Path) -> None:
        (folder / "b.txt").symlink_to("a.txt")
        found = {outcome.uri: outcome for outcome in read(folder)}["b.txt"]
        assert isinstance(found, FetchedDocument)
        assert found.content == b"pierwszy"

    def test_rings_and_dead_links_are_failures(self, folder: Path) -> None:
        (folder / "petla").symlink_to("petla")
        (folder / "martwy").symlink_to("nie-ma")
        (folder / "w-kolko").symlink_to(".")
        failed = [outcome.uri for outcome in read(folder) if isinstance(outcome, FetchFailure)]
        assert failed == ["martwy", "petla"]

    def test_a_pipe_does_not_hang(self, folder: Path) -> None:
        os.mkfifo(folder / "rura")
        assert [type(outcome) for outcome in read(folder)] == [FetchedDocument, FetchFailure, FetchedDocument]

    def test_a_file_that_is_too_large_is_not_read(self, folder: Path) -> None:
        with open(folder / "duzy.bin", "wb") as file:
            file.truncate(10_000_000_000)
        outcomes = {outcome.uri: outcome for outcome in read(folder, max_bytes=1000)}
        assert isinstance(outcomes["duzy.bin"], FetchFailure)
        assert outcomes["duzy.bin"].code == "too_large"

    def test_names_in_other_encodings_can_be_stored(self, folder: Path) -> None:
        with open(os.fsencode(folder) + b"/za\xbf\xf3\xb3\xe6.txt", "w") as file:
            file.write("x")
        (outcome,) = [outcome for outcome in read(folder) if outcome.uri.startswith("za")]
        outcome.uri.encode()
        assert isinstance(outcome, FetchedDocument)

    def test_it_stops_when_asked(self, folder: Path) -> None:
        reading = read_folder(folder, options=FolderOptions(), known={"x": Known()}, stopped=lambda: True)
        assert list(reading) == []
