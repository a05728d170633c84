import pytest

from rag.answering.research.plan import plan_research


def texts(question: str) -> list[str]:
    return [one.text for one in plan_research(question, None, seconds=1).questions]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("Czym różni się umowa o pracę od umowy zlecenia?", "umowa o pracę", "umowy zlecenia"),
        (
            "Jaka jest różnica między urlopem macierzyńskim a urlopem rodzicielskim?",
            "urlopem macierzyńskim",
            "urlopem rodzicielskim",
        ),
        ("Porównaj podatek liniowy i ryczałt", "podatek liniowy", "ryczałt"),
        ("What is the difference between a lease and a rental?", "a lease", "a rental"),
    ],
)
def test_each_side_of_a_comparison_is_looked_up_and_then_both(question: str, one: str, other: str) -> None:
    assert texts(question) == [one, other, question]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Ile wynosi opłata skarbowa i kiedy trzeba ją zapłacić?",
            ["Ile wynosi opłata skarbowa", "kiedy trzeba ją zapłacić?"],
        ),
        ("Kto podpisuje wniosek? Gdzie się go składa?", ["Kto podpisuje wniosek?", "Gdzie się go składa?"]),
        (
            "Kto prowadzi rejestr, gdzie on jest oraz jak się do niego wpisać?",
            ["Kto prowadzi rejestr, gdzie on jest", "jak się do niego wpisać?"],
        ),
    ],
)
def test_several_questions_in_one_are_taken_apart(question: str, parts: list[str]) -> None:
    assert texts(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Ile dni urlopu przysługuje po roku?",
        "Jakie dokumenty i załączniki trzeba złożyć?",
        "Czy mąż i żona mogą rozliczyć się razem?",
        "rejestracja samochodu",
    ],
)
def test_a_simple_question_stays_whole(question: str) -> None:
    assert texts(question) == [question]


def test_there_are_at_most_four() -> None:
    assert len(texts("Kto to? Co to? Gdzie to? Kiedy to? Ile to?")) == 4
