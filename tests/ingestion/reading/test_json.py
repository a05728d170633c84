import json

import pytest

from ingestion.errors import EmptyDocument
from ingestion.reading.registry import extract


def text_of(content: bytes) -> str:
    return extract(content, name="a.json", max_bytes=10**7, max_characters=10**7)[1].text


def test_compact_json_gets_a_line_for_each_value() -> None:
    source = {"tytuł": "Urlopy", "dni": [20, 26], "puste": {}, "brak": None, "tak": True, "lista": [{"a": 1}, []]}
    content = json.dumps(source, separators=(",", ":")).encode()
    assert text_of(content) == json.dumps(source, indent=2, ensure_ascii=False) + "\n"


def test_numbers_and_repeated_names_stay_as_they_were_written() -> None:
    assert text_of(b'{"kwota":1.50,"kwota":1E400,"x":-0}') == '{\n  "kwota": 1.50,\n  "kwota": 1E400,\n  "x": -0\n}\n'


@pytest.mark.parametrize("content", [b'{"a": 1}\n{"a": 2}', b'{"a":', b"[" * 100_000])
def test_what_is_no_valid_json_stays_as_it_stands(content: bytes) -> None:
    assert text_of(content) == content.decode() + "\n"


def test_characters_that_cannot_be_stored_do_not_survive_their_escape() -> None:
    assert text_of(rb'"a\ud800b\u200bc"') == '"abc"\n'


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(EmptyDocument):
        text_of(b"  \n")
