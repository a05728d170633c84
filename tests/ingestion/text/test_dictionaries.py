"""A dictionary is read through once, and opened from what was kept of it afterwards."""

import resource
from pathlib import Path

import pytest
from simplemma.strategies.dictionaries.stream_dictionary_factory import StreamMap

from ingestion.text.morphology.dictionaries import KeptDictionaries


def opened(folder: Path) -> StreamMap:
    """By a process of its own, as far as dictionaries know."""
    dictionaries = KeptDictionaries()
    dictionaries.folder = folder
    return dictionaries.get_dictionary("en")


@pytest.fixture(scope="module")
def read_through() -> StreamMap:
    return StreamMap("en")


def same(one: StreamMap, other: StreamMap) -> bool:
    """In all that simplemma finds words by; another slot in a later simplemma is missing here."""
    return all(getattr(one, slot) == getattr(other, slot) for slot in StreamMap.__slots__)


def test_who_comes_later_does_not_read_it_through(
    tmp_path: Path, read_through: StreamMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert same(opened(tmp_path / "cache"), read_through)
    monkeypatch.delattr(StreamMap, "__init__")
    assert same(opened(tmp_path / "cache"), read_through)


@pytest.mark.parametrize("left", [0, 20, 10_000, -1])
def test_what_is_damaged_is_kept_anew(tmp_path: Path, read_through: StreamMap, left: int) -> None:
    opened(tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:left])
    assert same(opened(tmp_path), read_through)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [whole]


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path, read_through: StreamMap) -> None:
    (tmp_path / "file").touch()
    assert same(opened(tmp_path / "file" / "cache"), read_through)


def test_a_disk_that_is_full_keeps_no_half_of_it(tmp_path: Path, read_through: StreamMap) -> None:
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
    try:
        found = opened(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
    assert same(found, read_through)
    assert list(tmp_path.iterdir()) == []


def test_a_word_is_found_as_simplemma_finds_it(tmp_path: Path, read_through: StreamMap) -> None:
    """Every 40th that there is, and as many that are not."""
    quick = opened(tmp_path)
    words = [word for place, word in enumerate(read_through) if place % 40 == 0]
    for word in (*words, *(f"{word}q" for word in words), *(word[1:] for word in words), "", "ż", "\U0001f600"):
        assert quick.get(word) == read_through.get(word), word
