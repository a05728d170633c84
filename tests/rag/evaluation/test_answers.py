"""The measures of an answer, each by cases whose value is known by hand."""

import pytest

from rag.evaluation.answers.answer_measures import (
    answer_relevance,
    citation_precision,
    citation_recall,
    completeness,
    measured,
)
from rag.evaluation.answers.coherence import coherence
from rag.evaluation.answers.correctness import correctness, exact_match, token_f1
from rag.evaluation.answers.hallucination import facts, hallucination_rate
from rag.evaluation.answers.wording import contains
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.measures.intervals import bootstrap_interval
from tests.rag.evaluation.answers import a_citation, a_passage, an_answer, verified


def asked(**labels: object) -> LabelledQuestion:
    return LabelledQuestion.model_validate({"id": "q", "question": "Ile dni urlopu przysługuje?", **labels})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Po 26 dniach urlopu [1].", "26 dni"),
        ("Opłata to 1234.56 złotych.", "1 234,56 zł"),
        ("Termin: 2024-03-12 [2].", "12 marca 2024"),
        ("Inspektorem jest Jan [1] Kowalski.", "Janem Kowalskim"),
        ("Uchwalił to SEJM.", "sejm"),
    ],
)
def test_expected_words_are_found_in_any_inflection_and_notation(text: str, expected: str) -> None:
    assert contains(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Przysługuje 26 dni.", "6 dni"), ("Dni jest 26.", "26 dni"), ("26 godzin albo 2 dni", "26 dni"), ("26 dni", "")],
)
def test_other_numbers_and_scattered_words_are_not_the_expected_ones(text: str, expected: str) -> None:
    assert not contains(text, expected)


def test_relevance_is_the_share_of_the_weight_of_the_questions_words() -> None:
    idf = {"urlop": 3.0, "dzień": 1.0, "przysługiwać": 4.0}
    assert answer_relevance("Ile dni urlopu przysługuje?", "26 dni urlopu [1].", idf) == pytest.approx(4 / 8)
    assert answer_relevance("Ile dni urlopu przysługuje?", "Przysługują dni na urlop.", idf) == 1
    assert answer_relevance("Czy to jest?", "Tak.", idf) is None


def test_a_word_that_the_knowledge_base_lacks_weighs_as_the_rarest() -> None:
    idf = {"urlop": 3.0, "dzień": 1.0}
    assert answer_relevance("Ile dni urlopu dla kanarka?", "Dni urlopu.", idf) == pytest.approx(4 / 7)


def test_all_expected_words_make_an_answer_correct() -> None:
    question = asked(expected_answer_contains=["26 dni", "30 września"])
    assert correctness(question, "26 dni do 30 września") == 1
    assert correctness(question, "26 dni") == 0
    assert completeness(question, "26 dni") == 0.5


def test_a_short_expected_answer_is_found_inside_a_longer_one() -> None:
    question = asked(expected_answer="co pięć lat")
    assert correctness(question, "Wybory odbywają się co pięć lat [1].") == 1
    assert exact_match(question, "Wybory odbywają się co pięć lat [1].") == 0
    assert exact_match(question, "Co pięć lat. [1]") == 1


def test_what_differs_from_the_expected_answer_is_as_correct_as_their_common_words() -> None:
    """Shared: urlop, dzień. Three words against three."""
    assert token_f1("26 dni urlopu", "20 dni urlopu") == pytest.approx(2 / 3)
    assert correctness(asked(expected_answer="20 dni urlopu"), "26 dni urlopu") == pytest.approx(2 / 3)
    assert token_f1("", "20 dni") == 0


def test_of_a_long_expected_answer_the_words_are_counted() -> None:
    long = (
        "urlop wypoczynkowy pracownik kierownik wniosek termin zgoda plan kadry księgowość burmistrz skarbnik sekretarz"
    )
    assert completeness(asked(expected_answer=long), "wniosek i zgoda kierownika") == pytest.approx(3 / 13)


def test_without_labels_correctness_is_not_guessed() -> None:
    assert correctness(asked(), "26 dni") is None
    assert completeness(asked(), "26 dni") is None
    assert exact_match(asked(), "26 dni") is None


def test_a_clean_answer_is_coherent() -> None:
    assert coherence(an_answer("Urlop trwa 26 dni [1].\nWniosek składa się do kierownika [2].")) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Urlop trwa 26 dni [1].\nUrlop trwa 26 dni [2].", 0.875),  # one sentence of two repeats
        ("Urlop trwa 26 dni [1]. Wniosek składa się do kierownika, któ", 0.875),  # one of two is cut
        ("The leave is 26 days for the employee [1].", 0.75),  # not the language of the answer
        ("", 0.0),
    ],
)
def test_repetition_cut_sentences_and_a_wrong_language_cost_coherence(text: str, value: float) -> None:
    assert coherence(an_answer(text)) == pytest.approx(value)


def test_citations_against_the_order_of_their_document_cost_coherence() -> None:
    citations = (a_citation(1, start=500), a_citation(2, start=100), a_citation(3, document_id=2))
    answer = an_answer("Urlop trwa 26 dni [1]. Wniosek składa kierownik [2].", citations=citations)
    assert coherence(answer) == pytest.approx(0.75)


def test_citations_are_held_against_the_expected_documents() -> None:
    question = asked(expected_documents=["urlop.md", "regulamin.md"])
    answer = an_answer("…", citations=(a_citation(1), a_citation(2, uri="psy.md")))
    assert citation_precision(question, answer) == 0.5
    assert citation_recall(question, answer) == 1
    elsewhere = an_answer("…", citations=(a_citation(1, uri="psy.md"),))
    assert (citation_precision(question, elsewhere), citation_recall(question, elsewhere)) == (0, 0)


def test_citations_without_labels_are_held_against_what_they_bear_out() -> None:
    checks = verified("supported", "not_covered", "uncited", "contradicted", precision=0.4)
    answer = an_answer("…", citations=(a_citation(1),), verification=checks)
    assert citation_precision(asked(), answer) == 0.4
    assert citation_recall(asked(), answer) == 0.25


def test_citations_that_nobody_labelled_or_verified_are_not_measured() -> None:
    answer = an_answer("…", citations=(a_citation(1),))
    assert (citation_precision(asked(), answer), citation_recall(asked(), answer)) == (None, None)


def test_what_is_contradicted_or_not_covered_is_hallucinated() -> None:
    answer = an_answer("…", verification=verified("supported", "not_covered", "uncited", "contradicted"))
    assert hallucination_rate(answer) == 0.5


def test_without_verification_numbers_dates_and_names_of_no_passage_are_hallucinated() -> None:
    text = "Urlop trwa 26 dni [1].\nZgodę wydaje Anna Nowak [1].\nTermin mija 12 marca 2024 r. [1]"
    passage = a_passage("Pracownik ma 26 dni, do 2024-03-12. Zgodę daje pani Anna Kowalska.")
    assert hallucination_rate(an_answer(text, passages=(passage,))) == pytest.approx(1 / 3)
    assert hallucination_rate(an_answer("", passages=(passage,))) is None


def test_facts_are_numbers_and_names_but_not_the_first_word_of_a_sentence() -> None:
    assert facts("- Wniosek składa Jan Kowalski do 30 września [1].") == {"jan", "kowalski", "30"}


def test_a_refusal_is_incorrect_and_nothing_else_is_measured_of_it() -> None:
    refusal = an_answer("Nie znaleziono w źródłach.", outcome="not_found")
    question = asked(expected_answer_contains=["26 dni"], expected_documents=["urlop.md"])
    assert measured(question, refusal, {}) == {"correctness": 0, "completeness": 0}
    assert measured(asked(answerable=False), refusal, {}) == {}


def test_every_measure_is_a_share() -> None:
    answer = an_answer("Urlop trwa 26 dni [1].", citations=(a_citation(1),), passages=(a_passage("26 dni urlopu"),))
    values = measured(asked(expected_answer="26 dni", expected_documents=["urlop.md"]), answer, {"urlop": 2.0})
    assert set(values) == {
        "correctness",
        "completeness",
        "exact_match",
        "relevance",
        "coherence",
        "citation_precision",
        "citation_recall",
        "without_hallucination",
    }
    assert all(0 <= value <= 1 for value in values.values())


def test_the_interval_of_a_mean_holds_it_and_narrows_with_more_questions() -> None:
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 200
    low, high = bootstrap_interval(few)
    assert low < 0.5 < high
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / 20**0.5, rel=0.1)  # as the normal approximation has it
    assert bootstrap_interval(many)[1] - bootstrap_interval(many)[0] < (high - low) / 3
    assert bootstrap_interval(few) == (low, high)
    assert bootstrap_interval([0.7, 0.7]) == pytest.approx((0.7, 0.7))
