"""What counts as personal data, and what only looks like it. The numbers are specimens or made up."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from ingestion.text.personal_data.detection import find_personal_data

WRITTEN = [
    ("PESEL: 44051401359, urodzony w maju", "pesel", "44051401359"),
    ("44051401359", "pesel", "44051401359"),
    ("| wnioskodawca | 44051401359 |", "pesel", "44051401359"),
    ("NIP 526-104-08-28", "nip", "526-104-08-28"),
    ("Faktura dla PL5261040828.", "nip", "PL5261040828"),
    ("numer identyfikacji podatkowej 5261040828", "nip", "5261040828"),
    ("REGON: 012100784", "regon", "012100784"),
    ("nr REGON 12345678512347", "regon", "12345678512347"),
    ("wpłata na konto 61 1090 1014 0000 0712 1981 2874", "iban", "61 1090 1014 0000 0712 1981 2874"),
    ("IBAN PL61109010140000071219812874", "iban", "PL61109010140000071219812874"),
    ("DE89 3704 0044 0532 0130 00", "iban", "DE89 3704 0044 0532 0130 00"),
    ("pisz na jan.kowalski+praca@urzad.gmina.pl.", "email", "jan.kowalski+praca@urzad.gmina.pl"),
    ("tel. 22 123 45 67", "phone", "22 123 45 67"),
    ("tel./faks: (22) 123-45-67", "phone", "(22) 123-45-67"),
    ("+48 601 234 567", "phone", "+48 601 234 567"),
    ("Zadzwoń: 601-234-567", "phone", "601-234-567"),
    ("komórka 601234567", "phone", "601234567"),
    ("dowód osobisty seria i numer ABA 300000", "identity_card", "ABA 300000"),
    ("legitymujący się paszportem nr ZS0000177", "passport", "ZS0000177"),
    ("urodzona 12 marca 1984 r. w Mielcu", "birth_date", "12 marca 1984"),
    ("data urodzenia: 1984-03-12", "birth_date", "1984-03-12"),
    ("karta 4111 1111 1111 1111", "card", "4111 1111 1111 1111"),
    ("dzwoni 22 123 45 67", "phone", "22 123 45 67"),
    # misread or misspelt
    ("PESEL 440514O1358", "pesel", "440514O1358"),
    ("44O5l401359 na odwrocie", "pesel", "44O5l401359"),
    ("mój pesel to 44051401358", "pesel", "44051401358"),
    ("tel. 6O1 234 S67", "phone", "6O1 234 S67"),
    ("+4B 6O1 234 567", "phone", "+4B 6O1 234 567"),
    ("konto 61 1090 1014 0000 0712 1981 2875", "iban", "61 1090 1014 0000 0712 1981 2875"),
    ("nr dowodu: ABA300001", "identity_card", "ABA300001"),
]

NOT_PERSONAL = [
    "44051401358",  # the checksum is wrong
    "44133501353",  # there is no month 13
    "22222222222",  # a placeholder
    "numer sprawy 5261040828",  # ten digits that nothing calls a tax number
    "012100784",
    "kwota 601 234 567 zł",
    "mieszkańców: 601 234 567 os.",
    "art. 123 456 789",
    "Dz. U. z 2023 r. poz. 1234",
    "wersja 601.234.567",
    "symbol ABA300000",  # a code of goods as well
    "w latach 2019 2020 2021 2022",
    "12 marca 1984 weszło w życie",
    "1440514013591",  # a piece of a longer number
    "tel. 12 34",
    "@jan oraz cena 5 zł @ 3 szt.",
]


@pytest.mark.parametrize(("text", "kind", "found"), WRITTEN)
def test_personal_data_are_found_as_they_are_written(text: str, kind: str, found: str) -> None:
    assert [(one.kind, text[one.start : one.end]) for one in find_personal_data(text)] == [(kind, found)]


@pytest.mark.parametrize("text", NOT_PERSONAL)
def test_what_only_looks_like_personal_data_is_none(text: str) -> None:
    assert find_personal_data(text) == []


def test_several_on_a_line_are_found_in_order_and_never_overlap() -> None:
    text = "Wniosek: PESEL 44051401359, tel. 601 234 567, jan@urzad.pl, konto 61109010140000071219812874"
    found = find_personal_data(text)
    assert [one.kind for one in found] == ["pesel", "phone", "email", "iban"]
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_the_word_that_says_what_a_number_is_must_be_near() -> None:
    assert find_personal_data("REGON: 012100784")
    assert not find_personal_data("REGON" + " niczego" * 20 + " 012100784")


def test_documentation_without_people_has_no_numbers_of_people(shared_data: Path) -> None:
    """300 pages of an IT handbook, full of versions, addresses and identifiers."""
    texts = (path.read_text(errors="ignore") for path in sorted((shared_data / "documents/microsoft365").rglob("*.md")))
    found = Counter(one.kind for text in texts for one in find_personal_data(text))
    assert set(found) <= {"email", "person", "phone"}
    assert found["phone"] <= 1  # a telephone of a helpdesk
    assert found["person"] <= 40  # people made up for examples, and a product called as people are


def test_no_two_findings_overlap_wherever_the_surer_one_begins() -> None:
    text = "tel. 600 100 200@example.pl"
    assert [(text[one.start : one.end], one.kind) for one in find_personal_data(text)] == [("200@example.pl", "email")]
