"""Which unit of which act is changed, and how."""

import pytest

from ingestion.text.acts.instructions import instructions_of
from ingestion.text.acts.references import act_of, act_references

STATUTE = "W ustawie z dnia 4 marca 2010 r. o ogrodach miejskich (Dz. U. Nr 76, poz. 489)"


def changes(text: str, head: str = f"Art. 1. {STATUTE} wprowadza się następujące zmiany: ") -> list[tuple[str, str]]:
    return [(one.unit, one.change) for one in instructions_of(head + text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('1) w art. 5 ust. 2 otrzymuje brzmienie: "2. Ogród jest otwarty."; ', [("art. 5 ust. 2", "worded")]),
        ("1) uchyla się art. 7; ", [("art. 7", "repealed")]),
        ("1) art. 48 skreśla się; ", [("art. 48", "repealed")]),
        ('1) po art. 4 dodaje się art. 4a w brzmieniu: „Art. 4a. Ławki.”; ', [("art. 4a", "added")]),
        ('1) w art. 3 w ust. 1 po pkt 2 dodaje się pkt 2a i 2b w brzmieniu: "2a) x"; ',
         [("art. 3 ust. 1 pkt 2a i 2b", "added")]),
        ('1) w art. 3: a) w ust. 1 skreśla się pkt 1, 4 i 6, b) ust. 2 otrzymuje brzmienie: "2. Y."; ',
         [("art. 3 ust. 1 pkt 1, 4 i 6", "repealed"), ("art. 3 ust. 2", "worded")]),
        ('1) w art. 6 w ust. 2: - w pkt 1 wyrazy "rada" zastępuje się wyrazami "wójt", - uchyla się pkt 2; ',
         [("art. 6 ust. 2 pkt 1", "words"), ("art. 6 ust. 2 pkt 2", "repealed")]),
        ('1) w art. 2 i w art. 8 ust. 1 wyrazy "alejka" zastępuje się wyrazami "ścieżka"; ',
         [("art. 2", "words"), ("art. 8 ust. 1", "words")]),
        ('1) w art. 9 w lit. d) kropkę zastępuje się przecinkiem; ', [("art. 9 lit. d", "words")]),
        ('1) art. 20{1} otrzymuje brzmienie: "Art. 20{1}. Z."; ', [("art. 20^1", "worded")]),
    ],
)  # fmt: skip
def test_the_unit_is_that_of_the_place_the_order_stands_in(text: str, expected: list[tuple[str, str]]) -> None:
    assert changes(text) == expected


def test_a_quotation_orders_nothing() -> None:
    quoted = '1) art. 3 otrzymuje brzmienie: "Art. 3. 1. Uchyla się art. 5. 2. W art. 6 dodaje się ust. 2."; '
    assert changes(quoted) == [("art. 3", "worded")]


def test_an_act_that_is_only_mentioned_is_not_changed() -> None:
    text = (
        "Art. 2. Zgodnie z ustawą z dnia 4 marca 2010 r. o ogrodach miejskich uchyla się zgodę, o której mowa w art. 5."
    )
    assert list(instructions_of(text)) == []


def test_the_next_article_belongs_to_the_changing_act() -> None:
    assert changes("1) uchyla się art. 7. Art. 2. Ustawa wchodzi w życie w dniu 1 maja. Uchyla się art. 9.") == [
        ("art. 7", "repealed")
    ]


def test_an_order_of_an_office_is_known_by_its_number() -> None:
    text = (
        "§ 1. W zarządzeniu nr 12/2024 Burmistrza Lipowa Dolnego z dnia 3 marca 2024 r. w sprawie regulaminu pracy "
        "§ 5 ust. 2 otrzymuje brzmienie: „2. Praca zaczyna się o 7.30.”."
    )
    (found,) = instructions_of(text)
    assert (found.unit, found.change, found.act.key) == ("§ 5 ust. 2", "worded", "zarządzenie 2024-03-03 nr 12/2024")
    head = "ZARZĄDZENIE NR 12/2024 BURMISTRZA LIPOWA DOLNEGO z dnia 3 marca 2024 r. w sprawie regulaminu pracy"
    own = act_of("Regulamin pracy", head)
    assert own is not None
    assert own.key == found.act.key


def test_acts_of_one_day_are_told_apart_by_their_titles() -> None:
    keys = {
        next(act_references(f"ustawa z dnia 27 lipca 2001 r. {title}")).key
        for title in ("o ogrodach miejskich", "o parkach", "- Prawo o drzewach", "Prawo o drzewach (Dz. U. Nr 1)")
    }
    assert len(keys) == 3


def test_a_title_that_only_mentions_an_act_is_none() -> None:
    assert act_of("Opinia do ustawy z dnia 27 lipca 2001 r. o parkach", "Opinia.") is None
