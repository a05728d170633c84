"""The five qualities of an answer."""

import pytest
from django.utils import translation

from rag.answering.verification.response import check_response
from rag.answering.verification.sentence import Sentence
from rag.types import CheckedClaim

QUESTION = "Jak złożyć wniosek o urlop wypoczynkowy?"
GOOD = "Wniosek o urlop wypoczynkowy składa się w systemie kadrowym co najmniej 14 dni wcześniej [1]."


@pytest.fixture
def failed(passage, citation):
    def check(answer, question=QUESTION, *, cited=True, verdict="supported", language="pl"):
        with translation.override("en"):
            checks = check_response(
                question=Sentence(question),
                answer=Sentence(answer),
                citations=[citation(passage("Zasady ogólne."))] if cited else [],
                claims=[CheckedClaim(text=answer, verdict=verdict)],
                language=language,
            )
        assert [one.name for one in checks] == ["length", "language", "relevance", "citations", "facts"]
        assert all(bool(one.reason) != one.passed for one in checks)
        return {one.name for one in checks if not one.passed}

    return check


def test_a_good_answer_passes_all(failed):
    assert failed(GOOD) == set()


def test_an_answer_has_50_to_4000_characters(failed):
    assert "length" in failed("W systemie [1].")
    assert "length" in failed(GOOD * 50)


@pytest.mark.parametrize("question", ["Czy trzeba złożyć wniosek?", "Ile trwa urlop?", "Kiedy składa się wniosek?"])
def test_a_question_that_wants_less_may_get_less(failed, question):
    assert "length" not in failed("Tak, 14 dni [1].", question)


def test_the_answer_is_in_the_language_of_the_question(failed):
    assert failed("The request for annual leave is filed in the HR system by the employee [1].") >= {"language"}


def test_the_answer_is_about_the_question(failed):
    assert failed("Drukarka na drugim piętrze wymaga nowego tonera oraz przeglądu technicznego [1].") == {"relevance"}


def test_an_answer_cites(failed):
    assert failed(GOOD, cited=False) == {"citations"}
    assert failed(GOOD, verdict="uncited") == {"citations"}


def test_facts_are_borne_out(failed):
    assert failed(GOOD, verdict="contradicted") == {"facts"}
    assert failed(GOOD, verdict="not_covered") == {"facts"}
