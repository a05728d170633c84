import pytest

from rag.answering.judgement.series import is_of_others


@pytest.mark.parametrize(
    ("question", "text", "others"),
    [
        ("Co zrobić przy komunikacie KL-17?", "KL-01: zły kod. KL-22: koszyk wygasł.", True),
        ("Co zrobić przy komunikacie KL-17?", "KL-01: zły kod. KL-17: pusty koszyk.", False),
        ("co znaczy kl 17", "KL-01: zły kod.", True),
        ("co znaczy KL17", "KL-17: pusty koszyk.", False),
        ("Błąd F-7?", "Kod F-007 oznacza brak papieru.", False),
        ("Kto składa PIT-36?", "PIT\u201137 składa pracownik.", True),
        ("Kto składa PIT-36?", "Zeznanie składa pracownik.", False),
        ("Ile kosztuje wersja 3?", "Wersja 2 kosztuje 100 zł.", True),
        ("Gdzie jest pokój 12?", "Pokój 12 jest na parterze, pokój 14 na piętrze.", False),
        ("Czy wersja 3 miesiące temu działała?", "Wersja 2 działa.", False),
        ("Mam staż 12 lat, ile dni urlopu?", "Po stażu 10 lat przysługuje 26 dni.", False),
        ("Do kiedy trzeba złożyć PIT w 2026?", "PIT-37 składa się do 30 kwietnia.", False),
    ],
)
def test_one_of_a_series_is_not_told_by_what_is_said_of_others(question: str, text: str, others: bool) -> None:
    assert is_of_others(question, text) == others
