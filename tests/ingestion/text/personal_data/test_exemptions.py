"""Offices, holders of public functions and authors may be left alone; their neighbours in the text are not."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from ingestion.text.personal_data.detection import find_personal_data
from knowledgetree.conf import EXEMPT, PersonalDataSettings

LEFT_ALONE = [
    ("Urząd Miasta, ul. Ratuszowa 1, 99-990 Lipowo Dolne", "offices"),
    ("Sekretariat: tel. 22 123 45 67", "offices"),
    ("pisz na sekretariat@urzad.example.pl", "offices"),
    ("Burmistrz Miasta Jan Nowak", "functions"),
    ("Jan Nowak, dyrektor szkoły", "functions"),
    ("Opracowała: Anna Kowalska", "authors"),
]
COVERED_STILL = [
    "Wniosek do Urzędu Miasta złożył Jan Nowak.",
    "Pan Jan Nowak, zamieszkały przy ul. Długiej 5",
    "Urząd wezwał panią Annę Kowalską, zam. ul. Krótka 3/4",
    "anna.kowalska@poczta.example.pl",
    "PESEL 44051401359",
]


@pytest.mark.parametrize(("text", "exemption"), LEFT_ALONE)
def test_who_is_exempt_is_left_alone_and_only_then(text: str, exemption: str) -> None:
    assert find_personal_data(text, exempt=[])
    assert find_personal_data(text, exempt=[exemption]) == []


@pytest.mark.parametrize("text", COVERED_STILL)
def test_others_are_found_whoever_is_exempt(text: str) -> None:
    assert find_personal_data(text, exempt=EXEMPT) == find_personal_data(text, exempt=[]) != []


def test_a_word_that_names_nobody_stops_the_program() -> None:
    with pytest.raises(ImproperlyConfigured, match="offices, functions, authors"):
        PersonalDataSettings(exempt=["urzedy"])
