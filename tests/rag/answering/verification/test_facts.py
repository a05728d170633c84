"""Values that are written differently and agree, and values that look alike and do not."""

import pytest

from rag.answering.verification.sentence import Sentence
from rag.understanding.facts.fact import agrees, rivals


def only_fact(text):
    (fact,) = Sentence(text).facts
    return fact


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("12 marca 2024 r.", "2024-03-12"),
        ("31 grudnia 2024 r.", "31.12.2024"),
        ("12.03.2024", "12 marca 2024 roku"),
        ("w marcu 2024", "12 marca 2024 r."),
        ("w 2024 r.", "12.03.2024"),
        ("1 234,56 zł", "1234.56 PLN"),
        ("około 1 200 zł", "1 234,56 zł"),
        ("1,2 tys. zł", "1 234,56 zł"),
        ("około 2 lata", "23 miesiące"),
        ("3,5 mln zł", "3 500 000 zł"),
        ("dwa tysiące trzysta złotych", "2300 zł"),
        ("tysiąc dwieście złotych", "1 200 zł"),
        ("14 dni", "dwa tygodnie"),
        ("czternastu dni", "14 dni"),
        ("14 roboczych dni", "14 dni roboczych"),
        ("trzy lata", "36 miesięcy"),
        ("przez rok", "12 miesięcy"),
        ("półtora roku", "18 miesięcy"),
        ("50%", "połowa"),
        ("23 procent", "23%"),
        ("godz. 15", "15:00"),
        ("godz. 17.30", "17:30"),
        ("art. 5 ust. 2", "art. 5 ust. 2 pkt 3"),
        ("NIP 1234563218", "NIP 123-456-32-18"),
        ("PIT 37", "PIT-37"),
        ("16 GB", "16000 MB"),
    ],
)
def test_notations_of_one_value_agree(said, found):
    assert agrees(only_fact(said), only_fact(found))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("14 dni", "30 dni"),
        ("około 2 lata", "20 miesięcy"),
        ("14 dni", "14 dni roboczych"),
        ("14 dni", "14 miesięcy"),
        ("12 marca 2024 r.", "12 kwietnia 2024 r."),
        ("w 2023 r.", "12.03.2024"),
        ("1 234,56 zł", "1 324,56 zł"),
        ("10 mln euro", "20 mln euro"),
        ("art. 27 ust. 1", "art. 72 ust. 1"),
        ("godz. 15", "godz. 16"),
    ],
)
def test_values_of_one_kind_that_differ_are_rivals(said, found):
    ours, theirs = only_fact(said), only_fact(found)
    assert not agrees(ours, theirs)
    assert rivals(ours, theirs)


@pytest.mark.parametrize(("said", "found"), [("12 marca 2024 r.", "w marcu 2024"), ("art. 5 ust. 2", "art. 5")])
def test_what_says_less_neither_bears_out_nor_contradicts(said, found):
    ours, theirs = only_fact(said), only_fact(found)
    assert not agrees(ours, theirs)
    assert not rivals(ours, theirs)


def test_counts_of_different_things_are_no_rivals():
    assert not rivals(only_fact("5 pracowników"), only_fact("3 egzemplarze"))


def test_the_number_of_a_list_item_is_no_fact():
    assert Sentence("2. Złóż wniosek w urzędzie.").facts == ()


def test_numbers_joined_by_a_dash_share_their_unit():
    facts = Sentence("Trwa to od 14 do 30 dni roboczych.").facts
    assert [(fact.dimension, fact.value) for fact in facts] == [("working_days", (14.0,)), ("working_days", (30.0,))]


@pytest.mark.parametrize("written", ["32 marca 2024 r.", "2024-03-32", "2024-13-01", "00.03.2024"])
def test_a_day_that_no_calendar_has_is_no_date(written):
    assert all(fact.value[2] is None for fact in Sentence(written).facts if fact.kind == "date")


@pytest.mark.parametrize("text", ["Odsetki liczy się do dnia zapłaty.", "Wiek na dzień złożenia wniosku."])
def test_a_day_that_is_named_by_what_happens_is_no_duration(text):
    assert list(Sentence(text).facts) == []


@pytest.mark.parametrize("text", ["Opłata na dzień.", "Wydajemy w ciągu dnia.", "Sprzątamy co dzień."])
def test_a_unit_alone_is_one_of_it(text):
    assert only_fact(text).value == (24.0,)


def test_a_number_of_millions_is_no_time_of_day():
    assert not agrees(only_fact("1,2 mln"), only_fact("godz. 1.20"))
    assert agrees(only_fact("17.30"), only_fact("godz. 17.30"))
