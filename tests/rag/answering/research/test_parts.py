import pytest

from rag.answering.research.parts import simple_parts


def texts(question: str) -> list[str]:
    return list(simple_parts(question))


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
def test_a_comparison_has_two_sides(question: str, one: str, other: str) -> None:
    assert texts(question) == [one, other]


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
def test_a_simple_question_has_no_parts(question: str) -> None:
    assert texts(question) == []


def test_there_are_at_most_three() -> None:
    assert len(texts("Kto to? Co to? Gdzie to? Kiedy to? Ile to?")) == 3
