"""The two things that a question compares."""

import pytest

from rag.understanding.comparison import compared_things, question_of_each


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("Porównaj urlop bezpłatny i urlop na żądanie", "urlop bezpłatny", "urlop na żądanie"),
        ("Czym się różni umowa o pracę od zlecenia?", "umowa o pracę", "zlecenia"),
        ("czym umowa o dzielo rozni sie od zlecenia", "umowa o dzielo", "zlecenia"),
        ("Jaka jest różnica między ryczałtem a dietą?", "ryczałtem", "dietą"),
        ("grob jednoosobowy a podwojny, jaka roznica w cenie", "grob jednoosobowy", "podwojny"),
        ("Po awarii co ma szybciej wstać: poczta czy EZD?", "poczta", "EZD"),
        ("hasło administratora vs użytkownika", "hasło administratora", "użytkownika"),
        ("How does a lease differ from a rental?", "a lease", "a rental"),
    ],
)
def test_both_things_are_found_however_they_are_compared(question: str, one: str, other: str) -> None:
    assert compared_things(question) == (one, other)


@pytest.mark.parametrize(
    "question",
    [
        "Czy mogę zapłacić kartą?",
        "Nie wiem, czy dostanę urlop",
        "Ile kosztuje grób, a ile urna?",
        "Czym jest PSZOK?",
        "a " * 1000,
        "",
    ],
)
def test_a_question_that_names_no_two_things_compares_none(question: str) -> None:
    assert compared_things(question) is None
    assert question_of_each(question) == (question,)


def test_of_each_thing_the_question_is_asked_without_the_other() -> None:
    assert question_of_each("Czym różni się grób od urny pod względem opłaty?") == (
        "grób pod względem opłaty?",
        "urny pod względem opłaty?",
    )
    assert question_of_each("Co jest droższe po awarii, ale szybciej wstanie: poczta czy EZD?")[1].endswith("EZD?")
