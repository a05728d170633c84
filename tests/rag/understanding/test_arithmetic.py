from decimal import Decimal

import pytest

from rag.understanding.arithmetic import CalculationError, evaluate, spoken, written


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2+2*3", "8"),
        ("(2 + 3) * 4", "20"),
        ("15% z 2400", "360"),
        ("15 % of 2400", "360"),
        ("7,5% od 1 200", "90"),
        ("2400 + 23%", "2952"),
        ("2400 - 10%", "2160"),
        ("1 234,50 * 12", "14814"),
        ("1\u00a0234,50 × 2", "2469"),
        ("1.234,50 * 2", "2469"),
        ("1,234.50 * 2", "2469"),
        ("0,1 + 0,2", "0.3"),
        ("10 : 4", "2.5"),
        ("10 ÷ 4", "2.5"),
        ("10 − 4", "6"),
        ("2^10", "1024"),
        ("-3 + 1", "-2"),
        ("1/3", "0.3333333333"),
        ("007 + 1", "8"),
    ],
)
def test_a_sum_in_polish_or_english_notation_is_exact(expression: str, value: str) -> None:
    assert evaluate(expression) == Decimal(value)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "2 +",
        "urlop",
        "__import__('os').system('true')",
        "abs(-1)",
        "[1][0]",
        "True + 1",
        "1 if 1 else 2",
        "2 // 3",
        "1j * 1j",
        "x + 1",
        "0x10 + 1",
        "1 < 2",
        "'a' * 3",
        "2\n3",
    ],
)
def test_what_is_no_sum_is_refused(expression: str) -> None:
    with pytest.raises(CalculationError):
        evaluate(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "2**101",
        "(9**99)**99",
        "9" * 60 + "*1",
        "1+" * 99 + "1",
        "-" * 60 + "1",
        "(" * 150 + "1" + ")" * 49,
        "1e999999",
    ],
)
def test_a_sum_too_great_or_too_deep_is_refused_at_once(expression: str) -> None:
    with pytest.raises(CalculationError):
        evaluate(expression)


def test_division_by_zero_is_told_kindly() -> None:
    with pytest.raises(CalculationError) as refused:
        evaluate("5/(3-3)")
    assert "zero" in refused.value.message
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("question", "expression"),
    [
        ("ile to 15% z 2400?", "15% z 2400"),
        ("Ile to jest 2 plus 2?", "2 + 2"),
        ("policz 7 razy 8", "7 * 8"),
        ("ile wynosi 23 procent z 1 000 zł?", "23 % z 1 000"),
        ("100 podzielić przez 8", "100 / 8"),
        ("2+2*3", "2+2*3"),
        ("1 234,50 * 12 =", "1 234,50 * 12"),
        ("What is 12 times 12?", "12 * 12"),
        ("ile to 45/9", "45/9"),
        ("10 - 3", "10 - 3"),
    ],
)
def test_a_question_that_is_a_sum_is_heard(question: str, expression: str) -> None:
    assert spoken(question) == expression
    assert evaluate(expression)


@pytest.mark.parametrize(
    "question",
    [
        "45/2024",
        "12-04-2024",
        "2024-03-12",
        "123-456-32-18",
        "10:30",
        "500+",
        "800 +",
        "24/7",
        "art. 5 ust. 2",
        "15%",
        "Ile to jest 2400 zł netto?",
        "Ile wynosi 15% z wynagrodzenia?",
        "ile to 2400",
        "C++",
        "22 123 45 67",
        "",
        "...",
    ],
)
def test_dates_numbers_of_acts_and_questions_with_numbers_are_no_sums(question: str) -> None:
    assert spoken(question) is None


@pytest.mark.parametrize(
    ("value", "polish", "english"),
    [("14814", "14\u00a0814", "14,814"), ("-1234.5", "-1\u00a0234,5", "-1,234.5"), ("0.3", "0,3", "0.3")],
)
def test_numbers_are_written_as_the_language_does(value: str, polish: str, english: str) -> None:
    assert written(Decimal(value), "pl") == polish
    assert written(Decimal(value), "en") == english
