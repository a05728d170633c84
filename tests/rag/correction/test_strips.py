from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ingestion.text.analyser import analyser
from rag.correction.strips import relevant_parts
from tests.rag.correction.test_grading import BLANK

FILLER = "Kierownik odpowiada za porządek w archiwum. Archiwum mieści się w piwnicy. Klucze wydaje portier. " * 3
ANSWER = "Wniosek o urlop składa się na siedem dni przed jego początkiem. Urlop zatwierdza kierownik działu."


def test_only_the_part_that_bears_on_the_question_is_kept() -> None:
    text = f"{FILLER}\n\n{ANSWER}\n\n{FILLER}"
    passage = replace(BLANK, text=text, start=100, end=100 + len(text), line_start=5, line_end=9)
    (part,) = relevant_parts("Kiedy złożyć wniosek o urlop?", [passage], analyser())
    assert "siedem dni" in part.text
    assert len(part.text) < len(text) / 2
    assert text[part.start - 100 : part.end - 100] == part.text
    assert part.line_start == 5 + text.count("\n", 0, part.start - 100)


def test_a_passage_without_a_word_of_the_question_is_left_out() -> None:
    with_words, without = replace(BLANK, text=ANSWER), replace(BLANK, chunk_id=2, text="Klucze wydaje portier.")
    assert relevant_parts("wniosek o urlop", [with_words, without], analyser()) == [with_words]


def test_where_nothing_has_a_word_of_the_question_all_stay() -> None:
    passages = [replace(BLANK, text=FILLER), replace(BLANK, chunk_id=2, text="Klucze wydaje portier.")]
    assert relevant_parts("Kto wygrał mecz?", passages, analyser()) == passages


@given(st.text(alphabet="aąbćz. \n!?\U0001f600", max_size=900), st.text(max_size=20))
def test_a_part_is_always_a_piece_of_its_passage(text: str, question: str) -> None:
    passage = replace(BLANK, text=text, start=7, end=7 + len(text))
    for part in relevant_parts(question, [passage], analyser()):
        assert text[part.start - 7 : part.end - 7] == part.text
