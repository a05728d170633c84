"""Names of people in all cases; streets, popes, firms and words of the language are none."""

import pytest

from ingestion.text.personal_data.people import find_people


def _people(text: str) -> list[str]:
    return [text[start:end] for start, end in find_people(text)]


PEOPLE = [
    ("Wniosek złożyła Anna Kowalska.", "Anna Kowalska"),
    ("Decyzję wydano Janowi Nowakowi z Mielca.", "Janowi Nowakowi"),
    ("Umowa z Marią Wiśniewską-Zając", "Marią Wiśniewską-Zając"),
    ("spadkobiercy: Kowalski Jan", "Kowalski Jan"),
    ("Jan Maria Rokita", "Jan Maria Rokita"),
    ("pełnomocnik J. Wiśniewski", "J. Wiśniewski"),
    ("pani Lewandowska prosi", "Lewandowska"),
    ("mgr inż. Tomasz Zieliński", "Tomasz Zieliński"),
    ("JAN KOWALSKI", "JAN KOWALSKI"),
    ("| Hanna Kowalska | 5000 | 4800 |", "Hanna Kowalska"),
    ("M. Kowalski podpisał", "M. Kowalski"),
    ("Karl Fritzsch (ur. 10 lipca)", "Karl Fritzsch"),
    ("Jestem Róża i mam pytanie", "Róża"),
    ("Kierowca: Marek, lat 41", "Marek"),
    ("wczoraj dzwoniła Zofia", "Zofia"),
    ("zastępuje Kowalskiego", "Kowalskiego"),
    ("Mateusz Senator", "Mateusz Senator"),
    ("Klient Dąwid Piórek czeka", "Dąwid Piórek"),
    ("Klient Na7an Biesaga czeka", "Na7an Biesaga"),
]
NOBODY = [
    "ulica Jana Kochanowskiego",
    "ul. Marii Konopnickiej",
    "szkoła im. Adama Mickiewicza",
    "Aleja Jana Pawła II",
    "Róża kwitnie w czerwcu.",
    "Urząd Miasta w Zielonej Górze",
    "Ministerstwo Rodziny i Polityki Społecznej",
    "Kodeks pracy wchodzi w życie w maju.",
    "numer konta bankowego Izraela",
    "Exchange Online i Microsoft Teams",
    "Get-MailboxPermission -Identity",
    "przelew do Nowak Sp. z o.o.",
    "Dział Kadr, Referat Podatków",
    "przeniesienie sędziego Art. 80 § 1",
    "Art. 25d Wojewódzkim zasobem zarządza marszałek.",
    "Niski współczynnik",
    "koszty | 838,06 |\nF. Zysk (strata) z działalności operacyjnej",
    "| M. Radom | 193777 | 1733 |",
    "| Hanna | 2481 | 2428 | 1254 |",
    "| Lewin Brzeski | 12425 | 12330 | 6061 |",
    "| Miasta Urban areas | 148466 | 117 |",
    "MIASTA URBAN AREAS",
    "UL. KRÓLA STEFANA BATOREGO 6",
    "| Filipiny Philippines | 7361 |",
    "Wyspy Świętego Tomasza i Książęca",
    "As of 1 January 2024",
]


@pytest.mark.parametrize(("text", "name"), PEOPLE)
def test_names_of_people_are_found_in_every_case(text: str, name: str) -> None:
    assert _people(text) == [name]


@pytest.mark.parametrize("text", NOBODY)
def test_streets_firms_popes_and_common_words_are_nobody(text: str) -> None:
    assert _people(text) == []


def test_surnames_before_given_names_stay_with_their_own() -> None:
    assert _people("Laska Bożena Chylińska Ewa") == ["Laska Bożena", "Chylińska Ewa"]


def test_each_of_several_people_is_found() -> None:
    assert _people("Obecni: Anna Lis, Piotr Zając i Ewa Wilk.") == ["Anna Lis", "Piotr Zając", "Ewa Wilk"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("syn pani Wójcik", "Wójcik"),
        ("Rozmawiałem z panem Nowakiem.", "Nowakiem"),
        ("Szanowna Pani Minister,", ""),
        ("Szanowni Państwo Radni", ""),
        ("Pan Bóg", ""),
    ],
)
def test_after_pan_and_pani_a_surname_may_be_a_common_word_but_no_post(text: str, name: str) -> None:
    assert [text[start:end] for start, end in find_people(text)] == ([name] if name else [])
