"""Confidence grows with every reason to trust."""

import pytest

ANSWER = "Urlop wynosi 26 dni [1]."
TEXT = "Urlop wypoczynkowy wynosi 26 dni."


@pytest.fixture
def trust(verifier, passage, citation):
    def ask(text=ANSWER, *, question="Ile dni wynosi urlop?", relevance=0.9, quality="HIGH", others=()):
        found = passage(TEXT, relevance=relevance)
        cited = [citation(found)] if "[1]" in text else []
        read = [found, *others]
        checked = verifier.verify(question, text, cited, read, language="pl", quality=quality)
        return checked.verification

    return ask


def test_a_supported_answer_to_the_question_is_trusted(trust):
    assert trust().confidence > 0.7


def test_nothing_cited_is_no_confidence(trust):
    assert trust("Nie znaleziono w źródłach.").confidence == 0
    assert trust("Nie znaleziono w źródłach.").confidence_parts == ()


@pytest.mark.parametrize(
    ("part", "worse"),
    [
        ("relevance", {"relevance": 0.1}),
        ("coverage", {"question": "Ile kosztuje przegląd drukarki laserowej?"}),
        ("kind", {"question": "Kto udziela urlopu?"}),
        ("support", {"text": "Urlop wynosi 20 dni [1]."}),
        ("retrieval", {"quality": "LOW"}),
    ],
)
def test_each_part_lowers_the_confidence_and_says_so(trust, part, worse):
    good, poor = trust(), trust(**worse)
    values = [{one.name: one.value for one in found.confidence_parts}[part] for found in (good, poor)]
    assert values[1] < values[0]
    assert poor.confidence < good.confidence


@pytest.mark.django_db
def test_sources_that_differ_lower_it(trust, passage):
    other = passage("Urlop wypoczynkowy wynosi 20 dni.", number=2)
    assert trust(others=[other]).contradictions
    assert trust(others=[other]).confidence < trust().confidence - 0.05
