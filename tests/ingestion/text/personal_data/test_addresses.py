"""Postal addresses in any notation; a street without a number leads to nobody's door."""

import pytest

from ingestion.text.personal_data.addresses import find_addresses
from ingestion.text.personal_data.detection import find_personal_data

ADDRESSES = [
    ("zamieszkała przy ul. Kwiatowej 5/3, 00-950 Warszawa, od maja", "ul. Kwiatowej 5/3, 00-950 Warszawa"),
    ("mieszka na ulicy Jana Pawła II 12 m. 4 w Mielcu", "ulicy Jana Pawła II 12 m. 4"),
    ("os. Słoneczne 7A", "os. Słoneczne 7A"),
    ("al. 3 Maja 14", "al. 3 Maja 14"),
    ("pl. Wolności 1, 41-500 Chorzów", "pl. Wolności 1, 41-500 Chorzów"),
    ("aleja Wojska Polskiego 3 / 12 70 - 470 Szczecin", "aleja Wojska Polskiego 3 / 12 70 - 470 Szczecin"),
    ("na adres: Długa 5/3, 00-950 Warszawa", "Długa 5/3, 00-950 Warszawa"),
    ("ul. Gdań5ka 73 44-51O Czerwionka", "ul. Gdań5ka 73 44-51O Czerwionka"),
]
NOT_ADDRESSES = [
    "remont ulicy Długiej",
    "ulica Jana Pawła II w Warszawie",
    "plac przed szkołą w 1988 r.",
    "od placu Grunwaldzkiego. Od placu idzie się w lewo",
    "kod pocztowy 00-950 Warszawa",
    "pl. 5, poz. 12",
]
HOSTILE = [
    "Aaa - " * 20_000,
    "ul. A " * 20_000,
    "A-" * 50_000,
    "1 " * 50_000,
    "Jan " * 25_000,
    "J." * 50_000,
    "ul." + " " * 99_999,
]


@pytest.mark.parametrize(("text", "address"), ADDRESSES)
def test_addresses_are_found_in_any_notation(text: str, address: str) -> None:
    assert [text[start:end] for start, end in find_addresses(text)] == [address]


@pytest.mark.parametrize("text", NOT_ADDRESSES)
def test_a_street_without_a_number_is_no_address(text: str) -> None:
    assert list(find_addresses(text)) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_long_rows_of_capitals_and_blanks_are_read_to_their_end(text: str) -> None:
    """Read at all: before the chains of hyphens had an end, the first of them took half a minute."""
    assert all(span.end <= len(text) for span in find_personal_data(text))
