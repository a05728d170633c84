"""Pairs of sources that differ, and pairs that only look so."""

import json
from pathlib import Path

import pytest

from rag.answering.verification.contradictions import find_contradictions
from rag.answering.verification.overlap import source
from rag.answering.verification.sentence import Sentence

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("contradictions.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture
def differ(passage):
    def between(*texts, question="", **fields):
        passages = [
            passage(
                text["text"],
                number=n,
                title=text["title"],
                heading_path=tuple([text["heading"]] if text.get("heading") else []),
                **fields,
            )
            for n, text in enumerate(texts, start=1)
        ]
        asked = Sentence(question) if question else None
        return find_contradictions([(one, source(one)) for one in passages], question=asked)

    return between


@pytest.mark.parametrize("half", [1, 2])
def test_nine_in_ten_of_what_is_pointed_out_are_true_and_of_what_differs_are_found(differ, half):
    """Half 2 was not looked at. Wikipedia, where nothing should be found, is in docs/verification.md."""
    rows = [row for row in ROWS if row["half"] == half]
    differing = {row["id"] for row in rows if row["contradict"]}
    pointed_out = {row["id"] for row in rows if differ(row["first"], row["second"])}
    assert len(differing) >= 10
    assert len(pointed_out - differing) <= 0.1 * len(pointed_out), pointed_out - differing
    assert len(differing - pointed_out) <= 0.1 * len(differing), differing - pointed_out


def test_the_set_is_large_enough_to_tell():
    assert len(ROWS) >= 40
    assert 0.4 < sum(row["contradict"] for row in ROWS) / len(ROWS) < 0.6


FIRST = {"title": "Regulamin", "text": "Reklamację rozpatrujemy do 14 dni."}
SECOND = {"title": "FAQ", "text": "Reklamację rozpatrujemy do 30 dni."}


def test_both_sides_are_quoted_with_their_values(differ):
    (found,) = differ(FIRST, SECOND)
    assert (found.kind, found.first.value, found.second.value) == ("number", "do 14 dni", "do 30 dni")
    assert (found.first.title, found.second.quote) == ("Regulamin", SECOND["text"])
    assert found.subject == "Reklamację rozpatrujemy"


@pytest.mark.parametrize(
    ("first", "second", "subject"),
    [
        ("1. Na nowy dowód osobisty czeka się do 30 dni.", "Na nowy dowód osobisty czeka się do 14 dni.",
         "Na nowy dowód osobisty czeka się"),
        ("45 minut przejazdu rowerem jest bezpłatne.", "Bezpłatne jest 20 minut przejazdu rowerem.",
         "przejazdu rowerem jest bezpłatne"),
        ("4. Ryczałt nie przysługuje za pracę zdalną.", "Ryczałt przysługuje za pracę zdalną.", ""),
    ],
)  # fmt: skip
def test_the_subject_reads_as_it_is_written_and_a_number_of_a_list_is_no_part_of_it(differ, first, second, subject):
    (found,) = differ({"title": "Regulamin", "text": first}, {"title": "FAQ", "text": second})
    assert found.subject == subject
    assert not found.first.value.startswith("4.")


def test_a_document_does_not_contradict_itself(differ):
    assert differ(FIRST, SECOND, document_id=7, uri="x") == ()


def test_only_what_the_question_is_about_is_compared(differ):
    assert differ(FIRST, SECOND, question="Ile trwa reklamacja?")
    assert differ(FIRST, SECOND, question="Kto wystawia faktury zaliczkowe?") == ()


def documents(first_title, first, second_title, second, heading=""):
    return (
        {"title": first_title, "heading": heading, "text": first},
        {"title": second_title, "heading": heading, "text": second},
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Obowiązuje od 1 stycznia 2025 r.", "Obowiązuje od 1 lutego 2026 r."),
        ("Regulamin wchodzi w życie 1 stycznia 2025 r.", "Regulamin wchodzi w życie 1 lutego 2026 r."),
        ("Ostatnia zmiana: 3 marca 2026 r.", "Ostatnia zmiana: 20 kwietnia 2026 r."),
        ("Wprowadzono zarządzeniem z dnia 3 marca 2025 r.", "Wprowadzono zarządzeniem z dnia 4 maja 2024 r."),
    ],
)
def test_when_unrelated_documents_came_into_force_is_no_contradiction(differ, first, second):
    heading = "Załącznik do zarządzenia Burmistrza"
    assert differ(*documents("Archiwizacja akt", first, "Zasady rozliczania podróży", second, heading)) == ()


def test_a_sentence_that_leaves_its_subject_to_the_title_differs_from_none_under_another(differ):
    texts = "Opłata wynosi 17 zł.", "Opłata wynosi 30 zł."
    titles = "Opłata skarbowa za pełnomocnictwo", "Wydanie prawa jazdy"
    assert differ(*documents(titles[0], texts[0], titles[1], texts[1], heading="Opłaty")) == ()


def test_two_kinds_of_a_thing_are_two_things(differ):
    texts = "Duplikat karty wydajemy w ciągu 14 dni.", "Duplikat karty wydajemy w ciągu 30 dni."
    assert differ(*documents("Karta Dużej Rodziny", texts[0], "Karta parkingowa", texts[1])) == ()
    assert differ(*documents("Karta parkingowa", texts[0], "Regulamin karty parkingowej", texts[1]))


def test_the_number_of_a_chapter_is_no_value(differ):
    texts = "Rozdział 10 Odpowiedzialność strażników trwa.", "Rozdział 11 Odpowiedzialność strażników trwa."
    assert differ(*documents("Straż", texts[0], "Straż miejska", texts[1])) == ()


def test_what_was_so_in_another_year_is_no_contradiction(differ):
    texts = "W 2011 roku gmina liczyła 5 200 mieszkańców.", "W 2021 roku gmina liczyła 4 900 mieszkańców."
    assert differ(*documents("Ludność", texts[0], "Ludność", texts[1])) == ()
    texts = "Za odpady mieszkaniec płacił 31 zł.", "Za odpady mieszkaniec płaci 38 zł."
    assert differ(*documents("Odpady", texts[0], "Odpady", texts[1])) == ()


def test_editions_of_one_document_for_other_years_do_not_contradict_each_other(differ):
    texts = "Za wodę mieszkaniec płaci 5 zł.", "Za wodę mieszkaniec płaci 6 zł."
    assert differ(*documents("Taryfa wodna 2024", texts[0], "Taryfa wodna 2026", texts[1])) == ()
    assert differ(*documents("Taryfa wodna 2026", texts[0], "Ceny wody", texts[1]))
    assert differ(*documents("00586", texts[0], "00589", texts[1])), "titles without words are no editions"


def test_two_statutes_are_two_things(differ):
    texts = "Kara aresztu wojskowego trwa 30 dni.", "Kara aresztu wojskowego trwa 5 dni."
    assert differ(*documents("Kodeks karny, art. 322", texts[0], "Kodeks karny skarbowy, art. 27", texts[1])) == ()
    assert differ(*documents("Areszt wojskowy", texts[0], "Regulamin aresztu wojskowego", texts[1]))


def test_an_office_has_one_holder_at_a_time(differ):
    texts = "Kierownikiem kancelarii jest Anna Zielińska.", "Kierownikiem kancelarii jest Marek Wrona."
    (found,) = differ(*documents("Kancelaria", texts[0], "Kancelaria ogólna", texts[1]))
    assert (found.kind, found.first.value, found.second.value) == ("name", "Anna Zielińska", "Marek Wrona")
    assert differ(*documents("Kancelaria", texts[0], "Kancelaria", texts[1].replace("jest", "był"))) == ()
    assert differ(*documents("Kancelaria", texts[0], "Archiwum", texts[1].replace("kancelarii", "archiwum"))) == ()


def test_a_step_states_nothing(differ):
    texts = "Zablokuj konto użytkownika domeny.", "Nie blokuj konta użytkownika domeny."
    assert differ(*documents("Konta", texts[0], "Konta", texts[1])) == ()


def test_a_guide_is_of_what_its_heading_says(differ):
    texts = "Hasło użytkownika musi mieć co najmniej 14 znaków.", "Hasło użytkownika musi mieć co najmniej 8 znaków."
    first, second = documents("Polityka haseł", texts[0], "Poradnik nowego pracownika", texts[1])
    assert differ(first, second | {"heading": "Hasła"})
    title = {"title": "Portal uczestnika zajęć", "heading": "Logowanie"}
    shorter = {"text": "Konto użytkownika blokuje się po 3 próbach."}
    longer = {"text": "Konto użytkownika blokuje się po 5 próbach."}
    assert differ(first | longer, second | shorter | {"heading": "Hasła"})
    assert differ(first | longer, second | shorter | title) == ()


def test_a_forbidden_deed_that_somebody_commits_is_no_permission(differ):
    texts = (
        "Łagodniej odpowiada sprawca, który dopuszcza się czynu zabronionego w usprawiedliwionym błędzie.",
        "Łagodniej odpowiada sprawca, który dopuszcza się czynu w usprawiedliwionym błędzie.",
    )
    assert differ(*documents("Kodeks karny", texts[0], "Kodeks karny skarbowy", texts[1])) == ()
