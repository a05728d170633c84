"""What a question wants told what it is, and what says so."""

import pytest

from rag.understanding.defining import defines, thing_to_define


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("co to jest PSZOK", "pszok"),
        ("Czym są odpady zielone?", "odpad zielony"),
        ("VPN co to", "vpn"),
        ("a co to w ogóle jest ten pszok", "pszok"),
        ("co oznacza kategoria Bc", "kategoria bc"),
        ("kategoria Bc, co to znaczy?", "kategoria bc"),
        ("Na czym polega mediacja?", "mediacja"),
        ("co znaczy skrót PSZOK", "pszok"),
        ("Co jest nie tak?", ""),
        ("Kto jest burmistrzem?", ""),
        ("Świeci na czerwono. Co to znaczy?", ""),
        ("ile kosztuje wpis", ""),
        ("Co to jest ta wielka zielona skrzynia z klapą przy szkole na rogu?", ""),
    ],
)
def test_the_thing_that_is_asked_about(question: str, thing: str) -> None:
    assert thing_to_define(question) == set(thing.split())


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("PSZOK to miejsce, do którego mieszkańcy przywożą odpady.", 1.0),
        ("**PSZOK** (punkt selektywnej zbiórki) jest miejscem zbiórki.", 1.0),
        ("| **PSZOK** | Miejsce zbiórki odpadów od mieszkańców |", 1.0),
        ("Przez PSZOK rozumie się miejsce zbiórki.", 1.0),
        ("PSZOK – miejsce zbiórki odpadów.", 0.9),
        ("Odpady przyjmuje punkt selektywnej zbiórki (PSZOK).", 0.6),
        ("Odpady oddaje się w miejscu zwanym dalej PSZOK.", 0.6),
        ("PSZOK jest czynny od wtorku do soboty.", 0.6),
        ("Wielkie gabaryty odbiera się sprzed domu albo w PSZOK.", 0.0),
        ("PSZOK nie jest czynny w niedziele.", 0.0),
        ("Zgłoszenie odbioru mebli, gruzu i opon sprzed domu do PSZOK jest bezpłatne.", 0.0),
        ("| PSZOK | tak |", 0.0),
        ("Komórka to telefon.", 0.0),
    ],
)
def test_what_says_what_it_is(text: str, worth: float) -> None:
    assert defines(text, frozenset({"pszok"})) == worth


def test_nothing_is_defined_where_nothing_is_asked() -> None:
    assert defines("PSZOK to miejsce zbiórki.", frozenset()) == 0.0
