"""Somebody found in texts by PostgreSQL, however they are written."""

import pytest
from django.db import connection

from ingestion.text.personal_data.mentions import UnusableMention, mention_pattern


def finds(said: str, text: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s ~* %s", [text, mention_pattern(said)])
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Jan Kowalski", "Decyzję doręczono Janowi Kowalskiemu."),
        ("Jan Kowalski", "KOWALSKI JAN, syn Adama"),
        ("Jan Kowalski", "wniosek J. Kowalskiego"),
        ("Jana Kowalskiego", "Jan Maria Kowalski"),
        ("Anna Wójcik", "pani Ania? Nie: Anna Wojcik"),
        ("Kowalska", "u Kowalskiej"),
        ("Tadeusz Xyzow", "Tadeuszowi Xyzowowi"),
        ("44051401359", "PESEL 440514 01359"),
        ("601 234 567", "tel. +48 601-234-567"),
        ("jan@example.pl", "Pisz: JAN@example.pl."),
    ],
)
def test_a_person_is_found_in_every_form(said: str, text: str) -> None:
    assert finds(said, text)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Jan Kowalski", "Janina Kowalska"),
        ("Jan Kowalski", "Jan poszedł. Następnego dnia o tym samym czasie pojawił się tam Kowalski."),
        ("Kowalski", "Kowalskijeden"),
        ("44051401359", "440514013590"),
        ("jan@example.pl", "adrian@example.pl"),
    ],
)
def test_somebody_else_is_not(said: str, text: str) -> None:
    assert not finds(said, text)


@pytest.mark.parametrize("said", ["", "  ", "123", "A", "...", "X 12"])
def test_what_stands_in_every_text_is_refused(said: str) -> None:
    with pytest.raises(UnusableMention):
        mention_pattern(said)
