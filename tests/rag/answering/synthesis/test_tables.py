"""The rows of a table that a question asks for, and what they come to."""

import pytest

from rag.answering.synthesis.extractive.tables import table_answer, tables_of
from rag.answering.verification.overlap import source
from rag.answering.verification.support import check_claim
from rag.question import SubstituteWords
from rag.understanding.expected import expected
from tests.rag.answering.synthesis.conftest import MakePassage

APPROVAL = """## Zatwierdzanie zakupów

| Wartość brutto | Zatwierdza | Termin |
| --- | --- | --- |
| do 10 000 zł | kierownik działu | 1 dzień |
| 10 000,01–50 000 zł | dyrektor | 3 dni |
| powyżej 50 000 zł | zarząd | 7 dni |
"""
LEAVE = """| Staż pracy | Wymiar urlopu |
|---|---|
| poniżej 10 lat | 20 dni |
| od 10 lat | 26 dni |
"""
NOTICE = """| Okres zatrudnienia | Okres wypowiedzenia |
| --- | --- |
| do 6 miesięcy | 2 tygodnie |
| powyżej 6 miesięcy do 3 lat | 1 miesiąc |
| powyżej 3 lat | 3 miesiące |
"""
POOL = """## Pływalnia miejska

| Dzień | Basen | Sauna |
| --- | --- | --- |
| poniedziałek | 6:00–22:00 | nieczynna |
| sobota | 8:00–20:00 | 12:00–20:00 |
| niedziela | 9:00–18:00 | 12:00–18:00 |
"""
STOCK = """## Wyposażenie świetlicy

| Przedmiot | Liczba sztuk | Wartość |
| --- | --- | --- |
| krzesło | 40 | 4 000 zł |
| stół | 10 | 3 500 zł |
| rzutnik | 1 | 2 199,50 zł |
"""


@pytest.fixture
def ask(passage: MakePassage):
    def ask(question, *texts, others=()):
        passages = [passage(text, chunk_id=number) for number, text in enumerate(texts, start=1)]
        return table_answer(question, expected(question), passages, others)

    return ask


def test_a_table_is_read_with_its_columns_and_the_places_of_its_rows():
    (table,) = tables_of(APPROVAL)

    assert table.columns == ("Wartość brutto", "Zatwierdza", "Termin")
    assert [row.name for row in table.rows] == ["do 10 000 zł", "10 000,01–50 000 zł", "powyżej 50 000 zł"]
    assert [APPROVAL[row.start : row.end] for row in table.rows] == APPROVAL.splitlines()[4:]
    assert "Zatwierdzanie zakupów" in table.introduction


def test_rows_that_begin_below_their_header_get_its_names():
    (table,) = tables_of("| sobota | 8:00–20:00 |\n| niedziela | 9:00–18:00 |\n", header="Dzień | Basen")

    assert table.columns == ("Dzień", "Basen")
    assert len(table.rows) == 2


def test_markdown_and_escaped_bars_do_not_stand_in_cells():
    (table,) = tables_of("| **Pole** | `Typ` |\n|---|---|\n| [id](#a) | a \\| b |\n| x | y |\n")

    assert table.columns == ("Pole", "Typ")
    assert table.rows[0].cells == ("id", "a | b")


@pytest.mark.parametrize(
    ("text", "question", "row"),
    [
        (APPROVAL, "Zakup na 20 tys. zł brutto, kto musi klepnąć?", "10 000,01–50 000 zł"),
        (APPROVAL, "kto podpisze zakup za 60k", "powyżej 50 000 zł"),
        (APPROVAL, "Ile się czeka na zatwierdzenie zakupu za 9 tysięcy?", "do 10 000 zł"),
        (LEAVE, "pracuję 12 lat, ile dni urlopu", "od 10 lat"),
        (LEAVE, "trzy lata stażu, ile dni urlopu", "poniżej 10 lat"),
        (NOTICE, "jestem zatrudniona od 8 miesięcy, ile trwa wypowiedzenie", "powyżej 6 miesięcy do 3 lat"),
        (NOTICE, "Jaki mam okres wypowiedzenia po 4 latach?", "powyżej 3 lat"),
    ],
)
def test_the_row_is_the_one_whose_interval_holds_the_value_given(ask, text, question, row):
    answer = ask(question, text)

    assert answer is not None
    assert (answer.how, [row.name for row in answer.rows]) == ("interval", [row])


def test_of_rows_that_each_hold_the_value_the_tightest_is_chosen(ask):
    rows = "| do 1 000 zł | brygadzista |\n| do 5 000 zł | kierownik |\n| ponad 5 000 zł | prezes |\n"

    answer = ask("kto podpisuje kwotę 800 zł", f"| Kwota | Podpisuje |\n|---|---|\n{rows}")
    assert answer is not None
    assert [row.name for row in answer.rows] == ["do 1 000 zł"]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("O której zamykają basen w niedzielę?", "niedziela"),
        ("do ktorej jest czynna sauna w sobote", "sobota"),
        ("godziny otwarcia sauna sobota", "sobota"),
    ],
)
def test_a_row_is_chosen_by_its_name_and_columns_in_any_inflection(ask, question, row):
    answer = ask(question, POOL)

    assert answer is not None
    assert (answer.how, [row.name for row in answer.rows]) == ("words", [row])


def test_another_word_for_it_leads_to_the_row(ask):
    question = "ile kosztuje siedzisko do świetlicy"

    assert ask(question, STOCK) is None
    answer = ask(question, STOCK, others=[SubstituteWords(typed=("siedzisko",), lemmas=("krzesło",), weight=0.8)])
    assert answer is not None
    assert answer.rows[0].name == "krzesło"


def test_a_key_that_is_a_number_is_found_as_a_whole(ask):
    text = "| Kod | Czas oczekiwania |\n|---|---|\n| 401 | 5 minut |\n| 429 | 40 minut |\n| 40 | 9 minut |\n"

    answer = ask("błąd 429, ile czasu czekać", text)
    assert answer is not None
    assert answer.rows[0].name == "429"


def test_items_of_two_halves_are_rows_too(ask):
    text = "Zakupy zatwierdza:\n\n- do 10 000 zł – kierownik działu,\n- powyżej 10 000 zł – dyrektor.\n"

    answer = ask("Kto zatwierdza zakup za 12 tys. zł?", text)
    assert answer is not None
    assert text[answer.rows[0].start : answer.rows[0].end] == "- powyżej 10 000 zł – dyrektor."


def test_a_column_is_summed_over_its_rows(ask):
    answer = ask("Ile razem warte jest wyposażenie świetlicy w złotych? Jaka jest łączna kwota razem?", STOCK)

    assert answer is not None
    assert (answer.how, answer.total, len(answer.rows)) == ("sum", "9 699,50 zł", 3)


def test_a_table_that_an_edge_of_the_passage_cuts_has_no_total(passage: MakePassage):
    question = "Ile przedmiotów jest w wyposażeniu świetlicy?"
    cut = passage(STOCK, context_after="| ekran | 1 | 700 zł |\n| głośnik | 2 | 300 zł |")

    answer = table_answer(question, expected(question), [cut])
    assert answer is None or not answer.total


def test_more_rows_than_a_reader_adds_up_have_no_total(ask):
    rows = "".join(f"| przedmiot {number} | {number} zł |\n" for number in range(1, 30))

    answer = ask("Ile jest przedmiotów?", f"| Przedmiot | Wartość |\n|---|---|\n{rows}")
    assert answer is None or not answer.total


def test_a_row_that_states_the_total_is_preferred_to_a_sum(ask):
    text = STOCK + "| Razem | 51 | 9 699,50 zł |\n"

    answer = ask("Jaka jest razem wartość wyposażenia świetlicy?", text)
    assert answer is None or answer.rows[0].name == "Razem"


def test_rows_are_counted_where_they_are_what_is_counted(ask):
    answer = ask("Ile jest przedmiotów w wyposażeniu świetlicy?", STOCK)

    assert answer is not None
    assert (answer.how, answer.total, len(answer.rows)) == ("count", "3", 3)


@pytest.mark.parametrize(
    "question",
    [
        "Ile kosztuje bilet na basen w sobotę?",
        "Kto sprząta basen w sobotę?",
        "O której odchodzi autobus do Krakowa?",
        "Dlaczego sauna jest nieczynna w poniedziałek?",
    ],
)
def test_there_is_no_answer_without_evidence_or_without_the_kind_of_thing_asked_for(ask, question):
    assert ask(question, POOL) is None


def test_the_better_passage_is_told_by_its_place(ask):
    answer = ask("pracuję 12 lat, ile dni urlopu", LEAVE, LEAVE.replace("26", "30"))

    assert answer is not None
    assert answer.passage == 0


def test_a_row_of_values_and_names_alone_is_found_in_its_source(passage: MakePassage):
    lines = "".join(f"Rada Gminy podjęła uchwałę numer {number} w sprawie dróg.\n\n" for number in range(8))
    text = f"{lines}| Kwota | Podpisuje |\n| --- | --- |\n| do 400 zł | Rada Gminy |\n| do 900 zł | Skarbnik Gminy |\n"

    checked = check_claim("| do 900 zł | Skarbnik Gminy [1] |", [(1, source(passage(text)))])
    assert checked.claim.verdict == "supported"
