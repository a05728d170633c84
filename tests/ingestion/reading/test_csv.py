import pytest

from ingestion.errors import DocumentTooLarge, EmptyDocument
from ingestion.reading.formats.text import csv_table
from ingestion.reading.formats.text.csv_table import CsvExtractor
from ingestion.types import no_progress

TABLE = "| Imię | Miejscowość | Kwota |\n| --- | --- | --- |\n| Łucja | Świdnik | 1 200,50 |\n| Jan | Źrebce | 3,00 |\n"


def text_of(content: bytes) -> str:
    return CsvExtractor().extract(content, name="plik.csv", progress=no_progress).text


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1250", "iso8859_2"])
def test_delimiter_and_encoding_are_found(delimiter: str, encoding: str) -> None:
    rows = [["Imię", "Miejscowość", "Kwota"], ["Łucja", "Świdnik", "1 200,50"], ["Jan", "Źrebce", "3,00"]]
    lines = (delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert text_of("\r\n".join(lines).encode(encoding)) == TABLE


def test_decimal_commas_do_not_make_columns() -> None:
    assert "| 1,5 | 2,5 |" in text_of(b"a;b\n1,5;2,5\n3,5;4,5\n")


def test_quotes_hold_delimiters_quotes_and_lines() -> None:
    assert '| Kowal; Jan | powiedział "tak" raz |' in text_of(
        'kto;co\n"Kowal; Jan";"powiedział ""tak""\nraz"\n'.encode()
    )


def test_a_quote_that_is_never_closed_swallows_nothing() -> None:
    rows = "\n".join(f"{number};opis {number}" for number in range(20_000))
    text = text_of(f'nr;opis\n0;"calowy 5" i dalej\n{rows}\n'.encode())
    assert "| 19999 | opis 19999 |" in text
    assert text.count("\n") > 20_000


def test_data_without_names_get_an_empty_header() -> None:
    assert text_of(b"1;Jan;5\n2;Ewa;6\n") == "|  |  |  |\n| --- | --- | --- |\n| 1 | Jan | 5 |\n| 2 | Ewa | 6 |\n"


def test_a_caption_stands_above_the_table() -> None:
    text = text_of("Wykaz umów;;\nNr;Data;Kwota\n1;2024-01-02;5\n".encode())
    assert text == "Wykaz umów\n\n| Nr | Data | Kwota |\n| --- | --- | --- |\n| 1 | 2024-01-02 | 5 |\n"


def test_the_line_that_names_the_delimiter_is_understood() -> None:
    assert text_of(b"sep=,\na,b\n1,2\n") == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_one_column_is_a_table_too() -> None:
    assert "Kraków" in text_of("Miasto\nKraków\n".encode())


def test_a_file_of_delimiters_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        text_of(b";;;\n;;;\n")


def test_too_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_table, "MAX_TABLE", 100)
    with pytest.raises(DocumentTooLarge):
        text_of(b"a;b\n" * 51)
