"""The nominative of names."""

import pytest

from ingestion.text.names.base_names import base_name


@pytest.mark.parametrize(
    ("written", "base"),
    [
        ("Janowi Kowalskiemu", "Jan Kowalski"),
        ("Anny Nowak", "Anna Nowak"),
        ("Marii Nowak-Kowalskiej", "Maria Nowak-Kowalska"),
        ("Adriana Kowalskiego", "Adrian Kowalski"),
        ("Adriana Kowalska", "Adriana Kowalska"),
        ("Bogdana Wójcik", "Bogdana Wójcik"),
        ("Bogdana Wójcika", "Bogdan Wójcik"),
        ("J. Kowalskiego", "J. Kowalski"),
        ("JANOWI KOWALSKIEMU", "JAN KOWALSKI"),
        ("Kowalskiej", "Kowalska"),
    ],
)
def test_words_of_a_name_agree_in_case_and_gender(written: str, base: str) -> None:
    assert base_name(written) == base


@pytest.mark.parametrize("written", ["Xyzowi", "", "12"])
def test_what_no_dictionary_has_stays_as_it_is(written: str) -> None:
    assert base_name(written) == written
