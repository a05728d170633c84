from ingestion.chunking.adaptive import AdaptiveChunker
from ingestion.types import ExtractedText, Span
from tests.ingestion.chunking.contract import ChunkerContract


def split(text: str) -> list[Span]:
    return list(AdaptiveChunker(chunk_size=64, overlap=8).split(ExtractedText(text=text, extractor="test")))


class TestAdaptiveChunker(ChunkerContract):
    chunker = AdaptiveChunker


def test_a_text_with_headings_is_split_along_them() -> None:
    assert split("# Urlopy\n\nPracownik ma prawo do urlopu.\n")[0].heading_path == ("Urlopy",)


def test_a_table_without_headings_is_recognised() -> None:
    assert [span.kind for span in split("| a | b |\n| --- | --- |\n| 1 | 2 |\n")] == ["table"]


def test_a_hash_inside_a_line_is_no_heading() -> None:
    assert split("Zadanie nr #5 wykonano.\n#hashtag")[0].heading_path == ()
