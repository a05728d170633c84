import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.reading.encoding import clean, decode

PANGRAM = "Zażółć gęślą jaźń. Ściągnąć książkę w Łodzi, Źdźbło i Ćma.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1250", "iso8859_2"])
def test_polish_letters_survive_every_usual_encoding(encoding: str) -> None:
    assert decode(PANGRAM.encode(encoding)) == PANGRAM


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859_2"])
@pytest.mark.parametrize(
    "text",
    [
        "ą",
        "Ś",
        "źdźbło",
        "ŚCIĄGA",
        "Ąż, Źrebię",
        "a;ź;b",
        "TYCHY;ŚWIĘTOCHŁOWICE",
        "Śląsk\nŹródło\nĄ",
        "PESEL;ŚLIWA\n1;Ź",
    ],
)
def test_the_three_letters_tell_the_code_pages_apart(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_windows_quotes_and_dashes_are_recognised() -> None:
    text = "Jest to „cytat” – z półpauzą… i świadczeniem.\n"
    assert decode(text.encode("cp1250")) == text


def test_a_utf8_file_with_one_broken_byte_stays_utf8() -> None:
    assert decode((PANGRAM * 5).encode() + b"\xc5").startswith(PANGRAM * 5)


def test_newlines_are_of_one_kind() -> None:
    assert decode("a\r\nb\rc\u2028d\x0ce".encode()) == "a\nb\nc\nd\ne"


def test_control_and_invisible_characters_go_and_tabs_stay() -> None:
    assert clean("a\0b\tc\x07d\u00ade\u200bf\ufeffg") == "ab\tcdefg"


def test_letters_are_composed() -> None:
    assert clean("zazo\u0301l\u0301") == "zazóĺ"


def test_hard_spaces_stay_only_inside_numbers() -> None:
    assert clean("w\u00a0domu za 8\u00a0029\u00a0zł") == "w domu za 8\u00a0029 zł"


@given(st.binary(max_size=400))
def test_any_bytes_give_text_that_can_be_stored(content: bytes) -> None:
    text = decode(content)
    assert "\0" not in text
    assert "\r" not in text
    text.encode("utf-8")


@given(st.text(max_size=300))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)
