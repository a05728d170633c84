"""What a question asks for, however it is typed, and where a text has it."""

import pytest

from rag.understanding.expected import expected

PERSON = "Burmistrzem jest Anna Zalewska, wybrana na drugą kadencję."


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Kto jest dyrektorem szkoły?", ("person",)),
        ("kto rzadzi u nich", ("person",)),
        ("jak się nazywa kierownik biblioteki?", ("person",)),
        ("Kto rozpatruje odwołanie od decyzji?", ("agent",)),
        ("Który wydział wydaje prawo jazdy?", ("agent",)),
        ("do kiedy muszę złożyć deklarację", ("date",)),
        ("kidey otwieracie basen", ("date",)),
        ("Dlaczgo basen jest zamknięty?", ("reason",)),
        ("Którego dnia miesiąca jest posiedzenie?", ("day",)),
        ("godziny otwarcia", ("hour",)),
        ("do ktorej jest czynna kasa", ("hour",)),
        ("Wychodzę w piątek, do której mam oddać klucz?", ("hour",)),
        ("Gdzie jest osoba, do której mam iść?", ("place",)),
        ("kurs euro", ("number",)),
        ("ile kasy dostane na okulary", ("money",)),
        ("Jaka jest opłata za psa?", ("money",)),
        ("opłata za psa", ("money",)),
        ("Ile dni mam na odwołanie?", ("duration",)),
        ("jak dlugo sie czeka na paszport", ("duration",)),
        ("Ile procent wynosi zniżka?", ("percentage",)),
        ("ile ksiazek moge wypozyczyc", ("number",)),
        ("gdzie zglosic zgube", ("place",)),
        ("Gdzie mam zadzwonić w nocy?", ("phone", "agent")),
        ("Ile miesięcznie kosztuje abonament?", ("money",)),
        ("kara za spóźnienie ile wynosi", ("money",)),
        ("jaki duzy zalacznik mozna wyslac", ("number",)),
        ("dostępność usługi w procentach", ("percentage",)),
        ("nr konta oplata skarbowa", ("account",)),
        ("Pod jakim numerem pokoju jest archiwum?", ("room",)),
        ("jaki kod błędu zwraca serwer", ("code",)),
        ("dlaczego wniosek odrzucono", ("reason",)),
        ("czemu mi nie dziala drukarka", ("reason",)),
        ("jak złożyć skargę", ("steps",)),
        ("Czy mogę zabrać psa do biura?", ("yes_or_no",)),
        ("Zgubiłam legitymację. Muszę to zgłosić?", ("yes_or_no",)),
        ("Co to jest PSZOK?", ("definition",)),
        ("Kim był Stanisław Staszic?", ("definition",)),
        ("W którym roku otwarto bibliotekę?", ("day",)),
        ("czym sie rozni abonament od biletu", ("comparison",)),
        ("ile kosztuje i ile trwa wyrobienie legitymacji", ("money", "duration")),
        ("jaki PIN ma drukarka", ("code",)),
        ("Kto podpisuje umowę i ile się na nią czeka?", ("agent", "duration")),
    ],
)
def test_a_kind_is_recognised_in_office_words_everyday_ones_and_without_diacritics(question, kinds):
    assert expected(question).kinds == kinds


def test_the_situation_told_before_a_question_asks_for_nothing():
    assert expected("Nie wiem, ile zapłaciłem. Kto wydaje duplikat rachunku?").kinds == ("agent",)


@pytest.mark.parametrize(
    ("question", "noun", "dimension"),
    [
        ("Ile dni urlopu mi przysługuje?", "dzień", "hours"),
        ("ile mogę mieć w roku lat przerwy", "rok", "months"),
        ("ile kolorowych kopii wolno zrobić", "kopia", None),
        ("jaki kod błędu zwraca serwer", "kod", None),
    ],
)
def test_what_is_counted_is_known_with_its_unit(question, noun, dimension):
    asked = expected(question)

    assert asked.noun == noun
    assert (asked.unit.dimension if asked.unit else None) == dimension


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Zakup za 20 tys. zł, kto podpisuje?", [("PLN", 20_000.0)]),
        ("Kto podpisuje wydatki powyżej 50 tys. zł?", [("PLN", 50_000.01)]),
        ("zakup za 15k zl", [("PLN", 15_000.0)]),
        ("pracuję 12 lat, ile urlopu", [("months", 144.0)]),
        ("po 3 latach ile dostanę", [("months", 36.0)]),
        ("plik ma 30 mega, wejdzie?", [("bytes", 30_000_000.0)]),
        ("Wyjechałam o 8, wróciłam o 14:30. Ile diety?", [("hours", 6.5)]),
        ("ile dni na godzinę", []),
        ("po co mi ten certyfikat", []),
    ],
)
def test_the_value_that_a_question_gives_is_read(question, given):
    assert [(fact.dimension, fact.value[0]) for fact in expected(question).given] == given


def test_who_holds_a_post_is_answered_with_a_name():
    asked = expected("Kto jest burmistrzem?")

    assert asked.has_answer(PERSON)
    assert not asked.has_answer("Burmistrz przyjmuje mieszkańców w Urzędzie Miasta w Nowej Woli.")
    assert not asked.has_answer("Urząd mieści się przy ul. Jana Kochanowskiego 5.")


def test_who_does_something_may_be_a_post_or_an_office():
    asked = expected("Kto rozpatruje odwołanie?")

    assert asked.has_answer("Odwołanie rozpatruje wojewoda.")
    assert asked.has_answer("Sprawę przejmuje Wydział Finansowy.")
    assert asked.has_answer("Odwołania rozpatrujemy na piśmie.")
    assert not asked.has_answer("Odwołanie wnosi się na piśmie.")


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("Kiedy mija termin?", "Wniosek składa się do 15 maja 2026 r.", ["15 maja 2026"]),
        ("o której otwieracie", "Biuro pracuje w godz. 8:15–16:00.", ["godz. 8:15–16:00"]),
        ("Ile to kosztuje?", "Wypis kosztuje 45 zł, a dla uczniów jest bezpłatny.", ["45 zł", "bezpłatny"]),
        ("W którym roku otwarto bibliotekę?", "Bibliotekę otwarto jesienią (1987).", ["1987"]),
        ("Jak długo trwa kurs?", "Kurs jest dwutygodniowy.", ["dwutygodniowy"]),
        ("Gdzie jest siedziba?", "Siedziba: Kraków.", ["Kraków"]),
        ("Gdzie oddać baterie?", "Baterie wrzuca się do pojemnika w holu.", ["do pojemnika", "w holu"]),
        ("Kto to napisał?", "Raport podpisał Nowak.", ["Nowak"]),
        ("Ile procent zniżki?", "Rabat wynosi 15% ceny.", ["15%"]),
        ("Ile się czeka?", "Sprawę załatwia się w 30 dni.", ["30 dni"]),
        ("Pod jaki numer dzwonić?", "Dyżur: tel. (99) 123 45 67.", ["(99) 123 45 67"]),
        ("nie działa baza, jaki numer", "Dyżur: tel. (99) 123 45 67.", ["(99) 123 45 67"]),
        ("adres mailowy archiwum", "Pisma: archiwum@nowawola.example.", ["archiwum@nowawola.example"]),
        ("nr konta", "Wpłaty: 61 1090 1014 0000 0712 1981 2874.", ["61 1090 1014 0000 0712 1981 2874"]),
        ("W którym pokoju jest kadrowa?", "Kadry zajmują pok. 12a na parterze.", ["pok. 12a"]),
        ("jakim endpointem to pobrać", "Dane zwraca /v2/wnioski/{id}.", ["/v2/wnioski/{id}."]),
    ],
)
def test_a_thing_of_the_kind_is_found_in_a_text(question, text, found):
    assert expected(question).has_answer(text)
    for thing in found:
        text = text.replace(thing, "")
    assert not expected(question).has_answer(text)


@pytest.mark.parametrize(
    "text",
    [
        "2. Wniosek składa się na piśmie.",
        "Komisja obraduje w pok. 12.",
        "Stosuje się art. 15 ust. 2.",
        "Obowiązuje wersja 3.",
    ],
)
def test_a_number_that_tells_things_apart_counts_none(text):
    assert not expected("Ilu członków ma komisja?").has_answer(text)
    assert expected("Ilu członków ma komisja?").has_answer(f"{text} Liczy 5 osób.")


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Ile euro wynosi dieta?", "Dieta wynosi 49 euro.", "Dieta wynosi 45 zł."),
        ("Ile centymetrów ma mieć kod?", "Bok kodu ma 3 cm.", "Kod ma 12 znaków."),
    ],
)
def test_what_is_asked_for_in_a_unit_is_answered_in_its_like(question, answer, other):
    assert expected(question).has_answer(answer)
    assert not expected(question).has_answer(other)


def test_the_price_of_a_unit_is_money():
    assert expected("Ile za kilometr?").has_answer("Zwraca się 1,15 zł za kilometr przebiegu.")


def test_what_the_question_says_itself_is_no_answer():
    assert not expected("Ile kosztuje wypis za 45 zł?").has_answer("Wypis za 45 zł wydaje archiwum.")


def test_fits_says_nothing_where_no_thing_is_asked_for():
    assert expected("Jak złożyć skargę?").fits("Skargę składa się ustnie.") == 0.0
    assert expected("Ile to kosztuje?").fits("Opłata wynosi 5 zł.") == 1.0
    assert expected("Ile to kosztuje?").fits("Opłatę wnosi się w kasie.") == -1.0


def test_a_rule_for_another_value_fits_less():
    asked = expected("Pracuję 3 lata. Ile dostanę nagrody?")

    assert asked.admits("Przy stażu do 5 lat nagroda wynosi 500 zł.") == 1
    assert asked.admits("Przy stażu powyżej 5 lat nagroda wynosi 900 zł.") == -1
    assert asked.admits("Przy stażu powyżej 5 lat nagroda wynosi 900 zł, przy krótszym 500 zł.") == 0
    assert asked.fits("Przy stażu powyżej 5 lat nagroda wynosi 900 zł.") < asked.fits("Nagroda wynosi 500 zł.")
