"""Which words of a question are names."""

import pytest

from rag.search.query.analysis import analyse_query

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Gdzie mieszka pan Malinowski?", {"malinowski"}),
        ("Zgubiłem bilet z pociągu do Łodzi. Co dołączyć do rozliczenia?", {"łodzi"}),
        ("Dostaniemy kartę? Mamy trójkę dzieci.", set()),
        ("Kto mieszka przy ul. Klonowej?", {"klonowej"}),
        ("„Syntex” czy pismo?", set()),
    ],
)
def test_a_capital_in_the_middle_of_a_sentence_marks_a_name(question: str, names: set[str]) -> None:
    assert {term.typed for term in analyse_query(question, []).terms if term.name} == names
