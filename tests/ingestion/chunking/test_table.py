from ingestion.chunking.table import TableChunker
from ingestion.types import ExtractedText, Span
from tests.ingestion.chunking.contract import ChunkerContract

SENTENCE = "Plan obejmuje wydatki bieżące i majątkowe jednostek gminy. "


def table(*, rows: int, header: str = "| Rok | Kwota \\| zł |") -> str:
    return f"{header}\n| --- | --- |\n" + "".join(f"| {1990 + row} | {row} 000 |\n" for row in range(rows))


def split(text: str, *, chunk_size: int = 60) -> list[tuple[Span, str]]:
    spans = TableChunker(chunk_size=chunk_size, overlap=10).split(ExtractedText(text=text, extractor="test"))
    return [(span, text[span.start : span.end]) for span in spans]


class TestTableChunker(ChunkerContract):
    chunker = TableChunker


def test_rows_without_their_header_have_it_at_the_end_of_the_path() -> None:
    (first, text), *others = split(f"# Budżet\n\n{table(rows=40)}")
    assert (first.heading_path, text[:23]) == (("Budżet",), "# Budżet\n\n| Rok | Kwota")
    assert others
    assert {span.heading_path for span, _ in others} == {("Budżet", "Rok | Kwota | zł")}


def test_rows_are_whole() -> None:
    text = table(rows=60)
    assert [line for _, piece in split(text) for line in piece.split("\n") if line] == text.strip().split("\n")


def test_prose_never_shares_a_chunk_with_rows() -> None:
    pieces = split(f"{SENTENCE * 5}\n\n{table(rows=3)}\n{SENTENCE * 5}\n", chunk_size=100)
    assert [span.kind for span, _ in pieces] == ["text", "table", "text"]


def test_a_caption_stands_with_its_table() -> None:
    pieces = split(f"{SENTENCE * 5}\n\n# Dochody\n\nTabela 3. Dochody gminy\n\n{table(rows=3)}", chunk_size=100)
    assert pieces[-1][1].startswith("# Dochody\n\nTabela 3. Dochody gminy\n\n| Rok")


def test_a_table_whose_columns_have_no_names_adds_nothing_to_the_path() -> None:
    assert {span.heading_path for span, _ in split(table(rows=40, header="|  |  |"))} == {()}


def test_each_of_two_tables_has_its_own_header() -> None:
    pieces = split(table(rows=20) + "\n# Ludność\n\n" + table(rows=20, header="| Rok | Osoby |"))
    assert {span.heading_path[-1] for span, text in pieces if not text.startswith(("|  R", "# L", "| R"))} == {
        "Rok | Kwota | zł",
        "Rok | Osoby",
    }
