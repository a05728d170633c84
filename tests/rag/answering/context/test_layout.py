"""Where what a model reads may begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.context.layout import AROUND, LONGEST_BLOCK, Layout

TEXT = """# Obieg faktur

Wstęp do obiegu.

## Zatwierdzanie

Wydatek zatwierdza:

| Kwota | Zatwierdza |
| --- | --- |
| do 5 000 zł | kierownik |
| do 50 000 zł | sekretarz |

## Przechowywanie

Faktury przechowuje się zgodnie z art.

5 ustawy, w szczególności:

- w składzie,
- w archiwum.

### Pusty nagłówek

## Adresy

```json
{"a": 1,

 "b": 2}
```
"""


def shortest(part: str) -> str:
    layout = Layout(TEXT)
    start = TEXT.index(part)
    first, last = layout.spans(start, start + len(part))[0]
    return TEXT[first:last]


def test_a_row_is_read_with_its_whole_table_its_heading_and_what_announces_it() -> None:
    assert shortest("| do 50 000 zł | sekretarz |") == TEXT[TEXT.index("## Zatw") : TEXT.index("\n\n## Przech")]


def test_a_text_that_stops_at_an_abbreviation_or_a_colon_goes_on() -> None:
    read = shortest("Faktury przechowuje się zgodnie z art.")
    assert read.startswith("## Przechowywanie")
    assert read.endswith("- w archiwum.")


def test_a_sentence_that_begins_in_the_block_before_is_read_from_its_beginning() -> None:
    assert shortest("w archiwum").startswith("## Przechowywanie\n\nFaktury")


def test_a_heading_is_never_the_end() -> None:
    layout = Layout(TEXT)
    for first, last in layout.spans(TEXT.index("Faktury"), TEXT.index("Faktury") + 7):
        assert not TEXT[first:last].rstrip().rpartition("\n")[2].startswith("#")


def test_a_fence_is_whole() -> None:
    assert shortest('"b": 2').endswith('```json\n{"a": 1,\n\n "b": 2}\n```')


def test_spans_grow_from_the_block_over_its_sections_to_everything() -> None:
    start = TEXT.index("| do 5 000")
    spans = Layout(TEXT).spans(start, start + 5)
    assert [last - first for first, last in spans] == sorted(last - first for first, last in spans)
    assert spans[-1] == (0, len(TEXT.rstrip()))


def test_headings_are_those_above_and_the_one_that_begins_there() -> None:
    layout = Layout(TEXT)
    assert layout.headings(TEXT.index("| do 5 000")) == ("Obieg faktur", "Zatwierdzanie")
    assert layout.headings(TEXT.index("## Adresy")) == ("Obieg faktur", "Adresy")


def test_rows_of_a_table_too_long_to_be_read_whole_know_their_columns() -> None:
    rows = "".join(f"| {number} | opis pozycji numer {number} w wykazie |\n" for number in range(400))
    text = f"# Wykaz\n\n| Nr | Opis |\n| --- | --- |\n{rows}"
    assert len(rows) > LONGEST_BLOCK
    layout, place = Layout(text), text.index("| 300 |")
    first, last = layout.spans(place, place + 20)[0]
    assert last - first <= AROUND
    assert text[first:last].startswith("| ")
    assert layout.columns(first) == "| Nr | Opis |\n| --- | --- |"
    assert layout.columns(text.index("| Nr")) == ""


def test_the_header_of_a_long_table_is_not_read_without_rows() -> None:
    names = " | ".join(f"nazwa kolumny numer {number}" for number in range(70))
    rows = "".join("| " + " | ".join("1" for _ in range(70)) + " |\n" for _ in range(60))
    text = f"# Wykaz\n\n| {names} |\n{'| --- ' * 70}|\n{rows}"
    first, last = Layout(text).spans(0, 20)[0]
    assert "| 1 | 1 |" in text[first:last]


def test_a_header_whose_rows_stand_below_a_line_is_read_with_them() -> None:
    text = "| Miasto | Liczba |\n| --- | --- |\n\nOGÓŁEM\n\n| Kraków | 5 |\n| --- | --- |\n| Łódź | 4 |\n"
    assert Layout(text).spans(0, 10)[0] == (0, len(text.rstrip()))


@pytest.mark.parametrize("text", ["", "   \n", "x", "#", "```\nkod"])
def test_texts_without_structure_are_read_as_they_are(text: str) -> None:
    assert all(first <= 0 and last >= len(text.strip()) for first, last in Layout(text).spans(0, len(text))[-1:])


@given(
    lines=st.lists(
        st.sampled_from(
            [
                "# A",
                "## B",
                "tekst.",
                "tekst bez końca",
                "dalej:",
                "- punkt",
                "| a | b |",
                "|---|---|",
                "```",
                "",
                "art.",
            ]
        ),
        max_size=30,
    ),
    data=st.data(),
)
def test_every_span_holds_what_was_found_and_the_one_before_it(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans = Layout(text).spans(start, end)
    assert all(first <= start and end <= last for first, last in spans)
    assert spans[0][1] - spans[0][0] <= spans[-1][1] - spans[-1][0]


def test_links_to_other_documents_are_not_read_behind_a_text_but_inside_it_they_are() -> None:
    links = "- [Kody QR](kody-qr.md)\n- [Tryby](tryby.md) (artykuł)"
    text = f"# Awaria\n\nFakturę dosyła się w 7 dni.\n\n{links}\n\nPotem nie.\n\n## Zobacz też\n\n{links}\n"
    *_, everything = Layout(text).spans(text.index("7 dni"), text.index("7 dni") + 5)
    assert text[slice(*everything)] == f"# Awaria\n\nFakturę dosyła się w 7 dni.\n\n{links}\n\nPotem nie."


def test_links_that_were_found_are_read() -> None:
    text = "# Awaria\n\nFakturę dosyła się w 7 dni.\n\n## Zobacz też\n\n[Kody QR](kody-qr.md)\n"
    assert all(text[start:end].endswith("(kody-qr.md)") for start, end in Layout(text).spans(50, len(text) - 1))
