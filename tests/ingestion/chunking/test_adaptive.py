import pytest

from ingestion.chunking.adaptive import AdaptiveChunker
from ingestion.types import ExtractedText, Span
from tests.ingestion.chunking.contract import ChunkerContract


def split(text: str, **metadata: str) -> list[Span]:
    extracted = ExtractedText(text=text, extractor="test", metadata=metadata)
    return list(AdaptiveChunker(chunk_size=64, overlap=8).split(extracted))


class TestAdaptiveChunker(ChunkerContract):
    chunker = AdaptiveChunker


def test_a_text_with_headings_is_split_along_them() -> None:
    assert split("# Urlopy\n\nPracownik ma prawo do urlopu.\n")[0].heading_path == ("Urlopy",)


def test_a_table_without_headings_is_recognised() -> None:
    assert [span.kind for span in split("| a | b |\n| --- | --- |\n| 1 | 2 |\n")] == ["table"]


def test_a_hash_inside_a_line_is_no_heading() -> None:
    assert split("Zadanie nr #5 wykonano.\n#hashtag")[0].heading_path == ()


def test_a_text_that_is_mostly_a_table_has_the_header_with_every_row() -> None:
    rows = "".join(f"| {year} | {year * 3} zł |\n" for year in range(1990, 2025))
    assert split(f"# Budżet\n\n| Rok | Kwota |\n|---|---|\n{rows}")[-1].heading_path == ("Budżet", "Rok | Kwota")


def test_source_code_is_known_by_what_the_extractor_says() -> None:
    source = "# Nagłówek to komentarz\n" + "".join(f"def f{n}(x):\n    return x * {n:060}\n\n" for n in range(8))
    assert {span.kind for span in split(source, kind="code", language="python")} == {"code"}
    assert split(source, kind="code", language="python")[-1].heading_path == ("f7",)


@pytest.mark.parametrize("mark", ["Art.", "§"])
def test_an_act_is_known_by_its_units(mark: str) -> None:
    text = "# USTAWA\n\n" + "".join(f"{mark} {number}. Przepis numer {number}.\n\n" for number in range(1, 5))
    assert split(text)[-1].heading_path[-1] == f"{mark.lower()} 4"


def test_a_text_that_only_quotes_a_law_is_no_act() -> None:
    text = (
        "# Poradnik\n\n" + "Urzędnik wyjaśnia, jak złożyć wniosek. " * 700 + "\n\nArt. 1. Ustawa.\n\nArt. 2. Ustawa.\n"
    )
    assert {span.heading_path for span in split(text)} == {("Poradnik",)}
