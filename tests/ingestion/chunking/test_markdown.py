from itertools import pairwise

from ingestion.chunking.markdown import MarkdownChunker
from ingestion.types import ExtractedText, Span
from tests.ingestion.chunking.contract import ChunkerContract

SENTENCE = "Pracownik składa wniosek o urlop wypoczynkowy do kierownika referatu. "


def split(text: str, *, chunk_size: int = 100, overlap: int = 10) -> list[tuple[Span, str]]:
    spans = MarkdownChunker(chunk_size=chunk_size, overlap=overlap).split(ExtractedText(text=text, extractor="test"))
    return [(span, text[span.start : span.end]) for span in spans]


class TestMarkdownChunker(ChunkerContract):
    chunker = MarkdownChunker


def test_a_heading_stands_with_its_content() -> None:
    pieces = split(f"# A\n\n{SENTENCE * 3}\n\n# B\n\n{SENTENCE * 4}\n")
    assert [text[:3] for _, text in pieces] == ["# A", "# B"]


def test_the_path_names_the_headings_from_the_outermost_to_its_own() -> None:
    text = (
        f"# Regulamin\n\n{SENTENCE * 3}\n\n## Urlopy\n\n{SENTENCE}\n\n"
        f"### Wniosek\n\n{SENTENCE * 4}\n\n## Delegacje\n\n{SENTENCE}"
    )
    assert [span.heading_path for span, _ in split(text)] == [
        ("Regulamin",),
        ("Regulamin", "Urlopy"),
        ("Regulamin", "Urlopy", "Wniosek"),
        ("Regulamin", "Delegacje"),
    ]


def test_the_path_is_free_of_markup() -> None:
    (span, _), *_ = split('# <a name="x"></a>**Urlop** [na żądanie](x.md) `nr_2`\n\nTekst.\n')
    assert span.heading_path == ("Urlop na żądanie nr_2",)


def test_an_empty_heading_opens_the_section_below_it() -> None:
    pieces = split(f"# Regulamin\n## Urlopy\n{SENTENCE}\n")
    assert [(span.heading_path, text[:11]) for span, text in pieces] == [(("Regulamin", "Urlopy"), "# Regulamin")]


def test_a_heading_with_nothing_but_a_date_makes_no_chunk() -> None:
    pieces = split(f"## Sesje\n10.07.2025\n\n## Wstęp\n\n{SENTENCE * 5}\n", chunk_size=200)
    assert [(span.heading_path, text[:8]) for span, text in pieces] == [(("Wstęp",), "## Sesje")]


def test_a_heading_at_the_very_end_closes_the_section_above() -> None:
    pieces = split(f"# A\n\n{SENTENCE}\n\n# Koniec\n")
    assert [text[-8:] for _, text in pieces] == ["# Koniec"]


def test_small_siblings_share_a_chunk_under_their_parent() -> None:
    text = f"# Pytania\n\n{SENTENCE * 2}\n\n## Ile?\n\nDwa dni.\n\n## Kiedy?\n\nW maju.\n"
    assert [span.heading_path for span, _ in split(text)] == [("Pytania",), ("Pytania",)]


def test_small_sections_of_different_parents_stay_apart() -> None:
    text = f"# A\n\n{SENTENCE}\n\n## A1\n\n{SENTENCE}\n\n# B\n\n{SENTENCE}\n\n## B1\n\n{SENTENCE}\n"
    assert [span.heading_path for span, _ in split(text)] == [("A",), ("A", "A1"), ("B",), ("B", "B1")]


def test_a_table_that_fits_is_never_cut() -> None:
    table = "| Rok | Kwota |\n| --- | --- |\n" + "| 2024 | 100 zł |\n" * 15
    pieces = split(f"# Budżet\n\n{SENTENCE * 5}\n\n{table}\n{SENTENCE * 5}\n")
    assert [text for span, text in pieces if span.kind == "table"] == [table.strip()]


def test_an_oversized_table_is_cut_between_rows() -> None:
    table = "| Rok | Kwota |\n| --- | --- |\n" + "".join(f"| {year} | 100 zł |\n" for year in range(1950, 2025))
    pieces = split(f"# Budżet\n\n{table}")
    assert {span.kind for span, _ in pieces} == {"table"}
    assert pieces[0][1].startswith("# Budżet\n\n| Rok | Kwota |")
    assert [line for _, text in pieces for line in text.split("\n") if line.startswith("|")] == table.strip().split(
        "\n"
    )


def test_fenced_code_that_fits_is_never_cut() -> None:
    code = "```python\n" + "print('# to nie nagłówek')\n" * 12 + "```"
    pieces = split(f"# Kod\n\n{SENTENCE * 5}\n\n{code}\n\n{SENTENCE * 5}\n")
    assert [text for span, text in pieces if span.kind == "code"] == [code]


def test_a_list_is_named_as_one() -> None:
    assert [span.kind for span, _ in split("# Załączniki\n\n- wniosek o wpis\n- dowód opłaty skarbowej\n")] == ["list"]


def test_long_text_is_split_with_overlap_under_one_path() -> None:
    pieces = split("# Urlopy\n\n" + SENTENCE * 30, overlap=20)
    assert {span.heading_path for span, _ in pieces} == {("Urlopy",)}
    assert all(one.end > other.start for (one, _), (other, _) in pairwise(pieces))


def test_text_without_any_heading_has_an_empty_path() -> None:
    assert [span.heading_path for span, _ in split(SENTENCE * 3)] == [()]


def test_link_definitions_are_kept() -> None:
    pieces = split("Tekst z [odnośnikiem][1].\n\n[1]: https://example.org\n")
    assert "https://example.org" in pieces[-1][1]
