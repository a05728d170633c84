"""A date in a question is the time that it asks about, or belongs to what it asks about."""

from datetime import date

import pytest

from rag.understanding.asked_time import asked_time, compares_times, without_times

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("question", "first", "last", "rest"),
    [
        ("Ile wynosiła opłata za psa w 2022 roku?", "2022-01-01", "2022-12-31", "Ile wynosiła opłata za psa?"),
        ("Jaka była stawka opłaty w dniu 5 marca 2024?", "2024-03-05", "2024-03-05", "Jaka była stawka opłaty?"),
        ("Kto zatwierdzał wnioski w maju 2024?", "2024-05-01", "2024-05-31", "Kto zatwierdzał wnioski?"),
        ("Ile wynosi dieta według stanu na 1.01.2023?", "2023-01-01", "2023-01-01", "Ile wynosi dieta?"),
        ("Ile będzie wynosić opłata od stycznia?", "2027-01-01", "2027-01-01", "Ile będzie wynosić opłata?"),
        ("Jaki był termin składania przed 1 lipca 2024?", "2024-06-30", "2024-06-30", "Jaki był termin składania?"),
    ],
)
def test_a_time_is_read_and_its_words_are_left_out(question: str, first: str, last: str, rest: str) -> None:
    time = asked_time(question, today=TODAY)
    assert time is not None
    assert (str(time.first), str(time.last), time.without(question)) == (first, last, rest)


@pytest.mark.parametrize(
    "question",
    [
        "Ile dni urlopu przysługiwało przed zmianą regulaminu?",
        "Ile dawniej kosztowało wypożyczenie sali?",
        "Ile wynosił limit w poprzednim regulaminie zamówień?",
        "Ile wynosiła opłata przed podwyżką?",
        "Ile zapytań można było wysłać na starym API?",
    ],
)
def test_words_name_what_was_in_force_before(question: str) -> None:
    time = asked_time(question, today=TODAY)
    assert time is not None
    assert (time.former, time.sure, time.first) == (True, True, None)


@pytest.mark.parametrize(
    "question",
    [
        "Gdzie jest faktura z 5 marca 2024?",
        "Co zawiera sprawozdanie za 2023 rok?",
        "Jaki jest budżet na 2026 rok?",
        "Czy mogę złożyć wniosek do 30 kwietnia 2026?",
        "Co mówi zarządzenie nr 15/2024 z dnia 3 marca 2024 r.?",
        "Ile osób urodziło się w 2023 roku?",
        "Kiedy w 2024 roku odbyły się wybory?",
        "Co trzeba zrobić przed zmianą nazwiska?",
        "Czy mogę przyjść wcześniej?",
        "Ile płaciliśmy za śmieci w 2025, a ile teraz?",
        "Ile wynosi opłata w 2026 roku?",
        "Nagle zaczęliśmy dostawać błąd ze starego API. Co się stało?",
        "Bronię magisterki we wrześniu. Ile dni mi przysługuje?",
        "Od 1 lutego 2026 r. kto musi wystawiać faktury w KSeF?",
    ],
)
def test_dates_of_things_and_today_name_no_time(question: str) -> None:
    assert asked_time(question, today=TODAY) is None


@pytest.mark.parametrize(
    ("question", "of_either"),
    [
        ("Ile kosztowało badanie licznika dawniej, a ile teraz?", "Ile kosztowało badanie licznika?"),
        ("Jak długie było hasło według starych zasad, a jak długie jest obecnie?", "Jak długie było hasło zasad?"),
        ("Ile płaciło się za windę w 2025, a ile w 2026?", "Ile płaciło się za windę w 2025, a ile w 2026?"),
        ("O ile podrożały śmieci?", "Ile wynosi śmieci?"),
        ("O ile podniesiono opłatę za stoisko?", "Ile wynosi opłatę za stoisko?"),
        ("Co się zmieniło w regulaminie?", "Co się zmieniło w regulaminie?"),
        ("Jaki kod zwraca wersja 1, a jaki wersja 2?", "Jaki kod zwraca wersja 1, a jaki wersja 2?"),
    ],
)
def test_two_times_are_compared(question: str, of_either: str) -> None:
    assert compares_times(question, today=TODAY)
    assert without_times(question) == of_either


@pytest.mark.parametrize(
    "question",
    [
        "Ile teraz kosztuje badanie licznika?",
        "Ile kosztowało badanie licznika w 2023?",
        "O ile obniżano stawkę 15 marca 2023 r.?",
        "O ile wcześniej trzeba przyjść?",
        "Jak zmienić adres?",
        "Jaki kod zwraca wersja 1?",
        "Zmieniłem adres. Co teraz?",
    ],
)
def test_one_time_is_asked_about(question: str) -> None:
    assert not compares_times(question, today=TODAY)
