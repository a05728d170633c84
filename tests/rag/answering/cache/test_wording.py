"""Which questions may share an answer."""

import pytest

from rag.answering.cache.wording import exact, wording

SAME = [
    ("Ile dni urlopu mi przysługuje?", "ile dni urlopu mi   przysługuje"),
    ("Ile dni urlopu przysługuje?", "Proszę powiedz, ile dni urlopu przysługuje."),
    ("Ile trwa urlop macierzyński?", "Urlop macierzyński: ile trwa?"),
    ("Czy mogę pracować zdalnie?", "a mogę pracować zdalnie?"),
    ("Jaka jest stawka VAT na książki", "Jaka stawka VAT na książki?"),
    ("Kto płaci za szkolenie po 10 latach?", "Po 10 latach kto płaci za szkolenie?"),
]
DIFFERENT = [
    ("Ile dni urlopu po 10 latach?", "Ile dni urlopu po 5 latach?"),
    ("Ile dni urlopu po 10 latach?", "Ile dni urlopu przed 10 latami?"),
    ("umowa z prawem do urlopu", "umowa bez prawa do urlopu"),
    ("Czy przysługuje urlop, ale nie zasiłek?", "Czy przysługuje zasiłek, ale nie urlop?"),
    ("Ile kosztuje przejazd z Krakowa do Warszawy?", "Ile kosztuje przejazd z Warszawy do Krakowa?"),
    ("pociąg Kraków Warszawa", "pociąg Warszawa Kraków"),
    ("od 5 do 10 dni", "od 10 do 5 dni"),
    ("Gdzie złożyć wniosek?", "Kiedy złożyć wniosek?"),
    ("Czy mogę wziąć urlop?", "Czy muszę wziąć urlop?"),
    ("Jaka jest najniższa stawka?", "Jaka jest niższa stawka?"),
    ("Kiedy urząd wydał decyzję?", "Kiedy urząd wyda decyzję?"),
    ("Czy pracownik zwalnia pracodawcę?", "Czy pracodawca zwalnia pracownika?"),
    ("Co to jest C++?", "Co to jest C#?"),
    ("rabat 10%", "rabat 10"),
    ('"urlop macierzyński" ile trwa', "urlop macierzyński ile trwa"),
    ("faktura -korekta", "faktura korekta"),
    ("do 1 marca", "do 2 marca"),
    ("Kto to jest Jan Nowak?", "Kto to jest Anna Nowak?"),
    ("sąd", "sad"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_alike(one: str, other: str) -> None:
    assert wording(one, "pl") == wording(other, "pl")


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_not_alike(one: str, other: str) -> None:
    assert wording(one, "pl") != wording(other, "pl")
    assert exact(one) != exact(other)


def test_english_says_by_order_who_does_what() -> None:
    assert wording("Does the employee pay the employer?", "en") != wording("Does the employer pay the employee?", "en")
    assert wording("Please tell, does the employee pay?", "en") == wording("does employee pay", "en")


def test_a_question_of_fillers_alone_is_compared_as_it_stands() -> None:
    assert wording("Proszę!", "pl") != wording("Powiedz!", "pl")
