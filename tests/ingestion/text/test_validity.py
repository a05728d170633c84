"""What a text says of when it holds, and of which other acts end."""

from datetime import date
from pathlib import Path

import pytest

from ingestion.text.acts.ends import stated_ends
from ingestion.text.acts.validity import _ENDS, _ENTERS, _HELD, _HOLDS, _IS_VALID, _Sentence, stated_validity

ORDER = """ZARZĄDZENIE NR 7/2025 BURMISTRZA LIPOWA DOLNEGO z dnia 31 stycznia 2025 r. w sprawie opłat

§ 1. Opłata wynosi 5 zł.

"""
GAZETTE = """DZIENNIK URZĘDOWY WOJEWÓDZTWA LIPOWSKIEGO
Lipowo, dnia 5 marca 2025 r.
Poz. 812

UCHWAŁA NR X/12/2025 RADY MIEJSKIEJ z dnia 20 lutego 2025 r. w sprawie opłat

"""


def first(text: str) -> str:
    stated = stated_validity(text).first
    return stated.day.isoformat() if stated else ""


def last(text: str) -> str:
    stated = stated_validity(text).last
    return stated.day.isoformat() if stated else ""


@pytest.mark.parametrize(
    ("entry", "day"),
    [
        ("Zarządzenie wchodzi w życie z dniem 1 stycznia 2026 r.", "2026-01-01"),
        ("Zarządzenie wchodzi w życie z dniem podpisania.", "2025-01-31"),
        ("Zarządzenie wchodzi w życie z dniem następującym po dniu podpisania.", "2025-02-01"),
        ("Zarządzenie wchodzi w życie po upływie 14 dni od dnia podpisania.", "2025-02-15"),
        ("Zarządzenie wchodzi w życie po upływie czternastu dni od dnia podpisania.", "2025-02-15"),
        ("Zarządzenie wchodzi w życie po upływie miesiąca od dnia podpisania.", "2025-03-01"),
        ("Zarządzenie wchodzi w życie pierwszego dnia miesiąca następującego po miesiącu podpisania.", "2025-02-01"),
        ("Zarządzenie wchodzi w życie z dniem podpisania, z mocą od dnia 1 stycznia 2025 r.", "2025-01-01"),
        ("Zarządzenie wchodzi w życie po upływie 14 dni od dnia ogłoszenia.", ""),  # when that was nobody says
        ("Rozporządzenie wchodzi w życie z dniem 1 maja 2025 r.", ""),  # another act
        ("Zarządzenie nr 3/2020 z dnia 2 stycznia 2020 r. wchodzi w życie z dniem 1 maja 2025 r.", ""),
        ("Zarządzenie, o którym mowa w § 1, wchodzi w życie z dniem 1 maja 2025 r.", ""),
        ("W § 9 zdanie pierwsze otrzymuje brzmienie: „Zarządzenie wchodzi w życie z dniem 1 maja 2025 r.”.", ""),
        ("Zarządzenie wchodzi w życie z dniem 1 maja 2025 r.\n\nZarządzenie wchodzi w życie z dniem podpisania.", ""),
    ],
)  # fmt: skip
def test_the_day_from_which_an_order_holds(entry: str, day: str) -> None:
    assert first(f"{ORDER}§ 2. {entry}") == day


def test_an_order_does_not_end_with_the_paper_that_it_ends() -> None:
    text = f"{ORDER}§ 2. Regulamin pracy traci moc z dniem 30 czerwca 2025 r.\n\n"
    text += "§ 3. Zarządzenie wchodzi w życie z dniem 1 kwietnia 2025 r."
    assert (first(text), last(text)) == ("2025-04-01", "")


@pytest.mark.parametrize(
    ("entry", "day"),
    [
        ("Uchwała wchodzi w życie po upływie 14 dni od dnia ogłoszenia w Dzienniku Urzędowym.", "2025-03-20"),
        ("Uchwała wchodzi w życie z dniem ogłoszenia.", "2025-03-05"),
        ("Uchwała wchodzi w życie z dniem podjęcia.", "2025-02-20"),
    ],
)
def test_the_day_of_a_gazette_is_counted_from(entry: str, day: str) -> None:
    assert first(f"{GAZETTE}§ 2. {entry}") == day


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Cennik obowiązuje od 1 maja 2025 r. do 30 września 2025 r.", ("2025-05-01", "2025-09-30")),
        ("Obowiązuje od 1.05.2025 do 30.09.2025", ("2025-05-01", "2025-09-30")),
        ("Oferta ważna do 31.12.2025 r.", ("", "2025-12-31")),
        ("Wersja 2.0, obowiązuje od 1 maja 2025 r.", ("2025-05-01", "")),
        ("Regulamin wchodzi w życie z dniem **8 lipca 2026 r.**", ("2026-07-08", "")),
        ("Regulamin obowiązuje od dnia 25.01.2024r.", ("2024-01-25", "")),
        ("Regulamin traci moc z dniem 1 lipca 2025 r.", ("", "2025-06-30")),
        ("Regulamin traci moc z dniem 31 grudnia 2025 r.", ("", "2025-12-31")),
        ("Regulamin traci moc z upływem dnia 1 lipca 2025 r.", ("", "2025-07-01")),
        ("Regulamin utracił moc z dniem 31 marca 2025 r. i został zastąpiony nowym.", ("", "2025-03-31")),
        ("**UWAGA: nieaktualne.**\n\nUchwała straciła moc z dniem 1 stycznia 2026 r.", ("", "2025-12-31")),
        ("NIEOBOWIĄZUJĄCA. Obowiązywała od 1 stycznia 2023 r. do 28 lutego 2025 r.", ("2023-01-01", "2025-02-28")),
        ("Stawki obowiązywały od 1 stycznia 2024 r. do 31 grudnia 2025 r.", ("2024-01-01", "2025-12-31")),
        ("Cennik nie obowiązuje od 1 marca 2025 r.", ("", "2025-02-28")),
        ("# Cennik (obowiązywał do 30 czerwca 2025 r.)\n\nWypożyczenie kosztuje 2 zł.", ("", "2025-06-30")),
        ("# Cennik\n\nOpłata 5 zł (obowiązywała do 30 czerwca 2025 r.), dziś 7 zł.", ("", "")),
        ("Instrukcja przestała obowiązywać z dniem 31 maja 2025 r.", ("", "2025-05-31")),
        ("Obowiązuje od: 01.02.2025", ("2025-02-01", "")),
        ("Spółka – wersja 2025, OBOWIĄZUJĄCA od 1 marca 2025 r.", ("2025-03-01", "")),
        ("**Dokument obowiązujący od dnia 1 kwietnia 2025 r.** Zastępuje poprzedni.", ("2025-04-01", "")),
        ("Uchwała nr 3/2020 z dnia 2 stycznia 2020 r. utraciła moc z dniem 1 maja 2025 r.", ("", "")),
        ("Stawki obowiązujące od 1 maja 2025 r. stosuje się także do umów zawartych wcześniej.", ("", "")),
        ("Zakaz obowiązuje od 1 maja 2025 r.", ("", "")),
        ("Umowa najmu jest zawarta od 1 maja 2025 r. do 30 września 2025 r.", ("", "")),
        ("Jeżeli zezwolenie jest ważne do 31 grudnia 2025 r., opłata się nie zmienia.", ("", "")),
    ],
)
def test_papers_that_are_no_acts(text: str, days: tuple[str, str]) -> None:
    assert (first(text), last(text)) == days


def test_the_sentence_is_quoted_as_a_whole() -> None:
    entry = "Zarządzenie wchodzi w życie z dniem 1 maja 2025 r., z wyjątkiem § 1, "
    entry += "który wchodzi w życie z dniem 1 lipca 2025 r."
    text = f"{ORDER}§ 2. {entry}\n\nBurmistrz"
    stated = stated_validity(text)
    assert stated.first
    assert text[stated.first.start : stated.first.end] == entry
    assert [(one.units, one.day) for one in stated.later] == [("§ 1", date(2025, 7, 1))]


@pytest.mark.parametrize(
    ("order", "ended"),
    [
        ("Traci moc zarządzenie nr 5/2020 Burmistrza z dnia 3 marca 2020 r. w sprawie opłat.", [("nr 5/2020", None)]),
        ("Z dniem 1 lipca 2025 r. traci moc zarządzenie nr 5/2020 z dnia 3 marca 2020 r.",
         [("nr 5/2020", date(2025, 6, 30))]),
        ("Zarządzenie nr 5/2020 Burmistrza z dnia 3 marca 2020 r. traci moc z dniem 31 grudnia 2025 r.",
         [("nr 5/2020", date(2025, 12, 31))]),
        ("Tracą moc: 1) zarządzenie nr 5/2020 z dnia 3 marca 2020 r.; 2) zarządzenie nr 6/2020 z dnia 4 marca 2020 r.",
         [("nr 5/2020", None), ("nr 6/2020", None)]),
        ("Uchyla się zarządzenie nr 5/2020 Burmistrza z dnia 3 marca 2020 r.", [("nr 5/2020", None)]),
        ("Traci moc § 3 zarządzenia nr 5/2020 Burmistrza z dnia 3 marca 2020 r.", []),
        ("Z dniem wejścia w życie ustawy o opłatach traci moc zarządzenie nr 5/2020 z dnia 3 marca 2020 r.", []),
        ("Uchyla się § 4 w zarządzeniu nr 5/2020 Burmistrza z dnia 3 marca 2020 r.", []),
    ],
)  # fmt: skip
def test_which_other_acts_end(order: str, ended: list[tuple[str, date | None]]) -> None:
    found = [(one.act.key, one.last) for one in stated_ends(f"{ORDER}§ 2. {order}")]
    assert [(key[key.index("nr ") :], day) for key, day in found] == ended


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        (_ENTERS, "Uchwała w sprawie opłat za śmieci i wodę wchodzi w życie 1 maja"),
        (_HOLDS, "Cennik usług obowiązuje od 1 maja"),
        (_IS_VALID, "Oferta jest ważna do 1 maja"),
        (_ENDS, "Statut traci moc z dniem 1 maja"),
        (_ENDS, "Statut utracił moc z dniem 1 maja"),
        (_HOLDS, "Cennik usług obowiązywał od 1 maja"),
        (_ENDS, "Statut przestał obowiązywać z dniem 1 maja"),
        (_HELD, "Wersja druga, obowiązująca od 1 maja"),
    ],
)
def test_sentences_are_sought_around_their_verbs_alone_and_none_is_missed(sentence: _Sentence, says: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path("fixtures").rglob("*.md"))]
    texts.append(f"{says}, jak mówi umowa. {says}.\n{says}.")
    for text in (*texts, *map(str.upper, texts)):
        everywhere = [found.span() for found in sentence.pattern.finditer(text)]
        assert [found.span() for found in sentence.finditer(text)] == everywhere
    assert len(everywhere) == 3
