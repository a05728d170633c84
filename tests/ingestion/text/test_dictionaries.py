"""A dictionary is unpacked once, and mapped from what was kept of it afterwards."""

import resource
from pathlib import Path

import pytest
from simplemma.strategies.dictionaries.stream_dictionary_factory import StreamMap

from ingestion.text.morphology import dictionaries
from ingestion.text.morphology.dictionaries import KeptDictionaries, MappedDictionary


def opened(folder: Path) -> MappedDictionary:
    """By a process of its own, as far as dictionaries know."""
    kept = KeptDictionaries()
    kept.folder = folder
    return kept.get_dictionary("en")


@pytest.fixture(scope="module")
def simplemmas() -> StreamMap:
    return StreamMap("en")


def same(ours: MappedDictionary, simplemmas: StreamMap) -> bool:
    some = list(simplemmas)[::500]
    return len(ours) == len(simplemmas) and all(ours[word] == simplemmas[word] for word in some)


def test_who_comes_later_does_not_unpack_it(
    tmp_path: Path, simplemmas: StreamMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert same(opened(tmp_path / "cache"), simplemmas)
    monkeypatch.delattr(dictionaries, "_compiled")
    assert same(opened(tmp_path / "cache"), simplemmas)


@pytest.mark.parametrize("left", [0, 20, 10_000, -1])
def test_what_is_damaged_is_kept_anew(tmp_path: Path, simplemmas: StreamMap, left: int) -> None:
    opened(tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:left])
    assert same(opened(tmp_path), simplemmas)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [whole]


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path, simplemmas: StreamMap) -> None:
    (tmp_path / "file").touch()
    assert same(opened(tmp_path / "file" / "cache"), simplemmas)


def test_a_disk_that_is_full_keeps_no_half_of_it(tmp_path: Path, simplemmas: StreamMap) -> None:
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
    try:
        found = opened(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
    assert same(found, simplemmas)
    assert list(tmp_path.iterdir()) == []


def test_a_word_is_found_as_simplemma_finds_it(tmp_path: Path, simplemmas: StreamMap) -> None:
    """Every 40th that there is, and as many that are not."""
    ours = opened(tmp_path)
    assert list(ours) == list(simplemmas)
    words = [word for place, word in enumerate(simplemmas) if place % 40 == 0]
    last = max(simplemmas)
    for word in (*words, *(f"{word}q" for word in words), *(word[1:] for word in words), last, "", "ż", "\U0001f600"):
        assert ours.get(word) == simplemmas.get(word), word


def test_a_word_whose_length_takes_two_bytes_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As simplemma writes them: letters shared with the word before, the others, the lemma as it stands (255)."""
    lengths = {b"a": b"\1", b"b" * 200: b"\xc8\1", b"c": b"\1"}
    records = [b"\0" + length + word + b"\xff\1" + word[:1] for word, length in lengths.items()]
    stream = b"SMFC1\0\3" + b"".join(records)
    monkeypatch.setattr(dictionaries, "_read_decompressed", lambda lang: stream)
    ours = KeptDictionaries().get_dictionary("pl")
    assert {word: ours[word] for word in ours} == {"a": "a", "b" * 200: "b", "c": "c"}
