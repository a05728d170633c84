from itertools import pairwise

import pytest

from ingestion.chunking.recursive import RecursiveChunker
from ingestion.types import ExtractedText
from tests.ingestion.chunking.contract import ChunkerContract


def chunks(text: str, *, chunk_size: int = 25, overlap: int = 0) -> list[str]:
    spans = RecursiveChunker(chunk_size=chunk_size, overlap=overlap).split(ExtractedText(text=text, extractor="test"))
    return [text[span.start : span.end] for span in spans]


class TestRecursiveChunker(ChunkerContract):
    chunker = RecursiveChunker


def test_a_paragraph_break_wins_over_a_later_sentence_end() -> None:
    first = "Wniosek składa się w terminie siedmiu dni od daty zdarzenia."
    second = "Decyzję wydaje wójt. Odwołanie składa się do kolegium w terminie czternastu dni."
    assert chunks(f"{first}\n\n{second}")[0] == first


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    text = "Wójt wydaje decyzję w ciągu miesiąca. Strona może się odwołać do kolegium. " * 4
    assert all(chunk.endswith(".") for chunk in chunks(text))


def test_an_abbreviation_does_not_end_a_chunk() -> None:
    text = "Zgodnie z brzmieniem tego przepisu stosuje się tu odpowiednio art. 5 ust. 2 pkt 3 oraz przepisy"
    assert not chunks(text, chunk_size=18)[0].endswith(("art.", "ust."))


def test_a_sentence_that_does_not_fit_is_cut_between_words() -> None:
    text = " ".join(["postępowanie"] * 40)
    assert all(set(chunk.split()) == {"postępowanie"} for chunk in chunks(text))


def test_neighbours_share_whole_sentences_up_to_the_overlap() -> None:
    text = " ".join(f"To jest zdanie numer {number} w tekście." for number in range(40))
    pieces = chunks(text, chunk_size=60, overlap=20)
    for one, other in pairwise(pieces):
        shared = other.split(".")[0] + "."
        assert shared in one
        assert shared.startswith("To jest zdanie")


def test_without_overlap_nothing_is_said_twice() -> None:
    text = " ".join(f"zdanie{number}." for number in range(200))
    assert " ".join(chunks(text)).split() == text.split()


@pytest.mark.parametrize("letter", ["ż", "😀", "字"])
def test_the_size_counts_characters_not_bytes(letter: str) -> None:
    assert [len(chunk) for chunk in chunks(letter * 250)] == [100, 100, 50]
