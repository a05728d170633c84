"""What an answer by rules must say of the question, or it is about something else."""

import pytest
from django.contrib.auth.models import User

from ingestion.models import Collection
from ingestion.text.morphology.kinship import are_derived
from rag.services.ask import answer_question
from rag.understanding.expected.valued_things import valued_things
from tests.conftest import AddDocument

CARDS = """# Karty

Urlop macierzyński trwa 20 tygodni. Urlop udzielany jest na wniosek pracownika.

Duplikat karty kosztuje 25 zł. Rezerwacja sali w programie Bookings wymaga zgody Kierownika.

Opłacenie deklaracji o odpadach następuje do 15. dnia miesiąca i wynosi 38 zł. Podatek od psa płaci właściciel.

Opłata mocowa wynosi 16 zł za metr kwadratowy. Opłata jakościowa pokrywa koszt badań.

Komunikaty na stronie awarii odświeża się co 30 minut. Sztabem kieruje Witold Ćmiel.
"""
OPEN = {"min_relevance": 0.0, "least_answerable": 0.01, "certain_confidence": 0.0}


@pytest.fixture(autouse=True)
def cards(public: Collection, index: AddDocument) -> None:
    index(public, CARDS, name="karty.md", title="Karty")


def outcome(question: str) -> str:
    viewer = User(username="redaktor", is_superuser=True, is_active=True)
    return answer_question(question, viewer=viewer, parts=OPEN, save=False, cached=False).outcome


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Ile trwa urlop macierzyński?", "answered"),
        ("Ile trwa urlop ojcowski?", "not_found"),
        ("Ile dni ojcowskiego przysługuje?", "not_found"),
        ("Czy na długi urlop potrzebny jest wniosek?", "answered"),
        ("Czy na urlop w ogóle konieczny jest wniosek?", "answered"),
        ("Kto zgadza się na rezerwację w Bookings?", "answered"),
        ("Kto zgadza się na rezerwację w Outlooku?", "not_found"),
        ("Kto zgadza się na rezerwację sali w Krakowie?", "answered"),
        ("Kto oprócz Dyrektora zgadza się na rezerwację sali?", "answered"),
        ("Ile kosztuje duplikat karty?", "answered"),
        ("Ile kosztuje rezerwacja sali?", "not_found"),
        ("Ile wynosi opłata za deklarację?", "answered"),
        ("Jaka jest kara za psa?", "not_found"),
        ("Jak wysoka jest opłata mocowa?", "answered"),
        ("Jak wysoka jest opłata jakościowa?", "not_found"),
        ("ile za metr kwadratowy opłaty mocowej", "answered"),
        ("Kto kieruje sztabem?", "answered"),
        ("Kto redaguje komunikaty na stronie awarii?", "not_found"),
    ],
)
def test_a_name_a_kind_and_what_has_a_price_must_be_said(question: str, shown: str) -> None:
    assert outcome(question) == shown


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Ile kosztuje duplikat karty?", ["duplikat"]),
        ("Jak długo trwa sama ceremonia ślubu?", ["ceremonia"]),
        ("kara za brak biletu ile wynosi", ["brak"]),
        ("Ile się czeka na odpowiedź?", ["odpowiedź"]),
        ("Ile kosztuje wyrobienie paszportu i ile się na niego czeka?", ["paszportu"]),
        ("Ile zapłacę za dwa dni?", []),
        ("Kto wydaje duplikat karty?", []),
        ("Na ile lat wydawany jest certyfikat?", ["certyfikat"]),
        ("Ile wynosi najniższa krajowa?", ["najniższa", "krajowa"]),
        ("zgubiłem kartę, ile za nową", []),
        ("Jak się nazywa dyrektor szpitala?", ["dyrektor"]),
        ("Kto teraz jest prezesem?", ["prezesem"]),
        ("Kto jest szefem apteki?", []),
        ("Kto jest odpowiedzialny za dyrektora?", []),
    ],
)
def test_what_has_the_price_or_the_holder_is_the_noun_after_it(question: str, things: list[str]) -> None:
    assert [token.form for token in valued_things(question)] == things


@pytest.mark.parametrize(
    ("left", "right", "derived"),
    [
        ("kara", "karny", True),
        ("kara", "karta", False),
        ("oplata", "oplacic", True),
        ("wplyw", "wplynac", True),
        ("konto", "kontrola", False),
        ("przestawny", "przez", False),
        ("druk", "drukarka", True),
        ("model", "modul", False),
    ],
)
def test_words_of_one_family_share_their_stem(left: str, right: str, derived: bool) -> None:
    assert are_derived(left, right) is are_derived(right, left) is derived
