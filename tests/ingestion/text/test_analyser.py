import pytest

from ingestion.text.analyser import PolishAnalyser
from ingestion.text.pipeline import polish


@pytest.fixture(scope="module")
def analyser() -> PolishAnalyser:
    return PolishAnalyser()


def lemmas(analyser: PolishAnalyser, text: str) -> list[str]:
    return [token.lemma for token in analyser.tokens(text)]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ustawa", "ustawie"),
        ("żółw", "ŻÓŁWIOM"),
        ("urlop", "urlopów"),
        ("szkoła", "szkole"),
        ("JWT", "JWT-a"),
        ("API", "API-em"),
        ("middleware", "middleware'u"),
        ("endpoint", "endpoints"),
        ("endpoint", "endpointów"),
        ("Warszawa", "warszawie"),
        ("170000", "170 000"),
        ("1234.56", "1 234,56"),
    ],
)
def test_a_word_is_found_in_every_inflection(analyser: PolishAnalyser, left: str, right: str) -> None:
    assert lemmas(analyser, left) == lemmas(analyser, right)


def test_tokens_point_into_the_text(analyser: PolishAnalyser) -> None:
    text = "Wniosek o 26 dni urlopu – § 12 ust. 3, KSeF 2.0."
    tokens = analyser.tokens(text)
    assert [text[token.start : token.end] for token in tokens] == [
        "Wniosek",
        "o",
        "26",
        "dni",
        "urlopu",
        "12",
        "ust",
        "3",
        "KSeF",
        "2.0",
    ]


def test_question_words_carry_no_topic(analyser: PolishAnalyser) -> None:
    topic = [t.form for t in analyser.tokens("Ile dni urlopu mi przysługuje?") if not analyser.is_stop_word(t)]
    assert topic == ["dni", "urlopu", "przysługuje"]


def test_the_spacy_pipeline_has_the_lemmas_of_the_index() -> None:
    doc = polish()("Pracownikowi przysługuje urlop, np. na żądanie. Wniosek składa się wcześniej.")
    assert [token.lemma_ for token in doc][:3] == ["pracownik", "przysługiwać", "urlop"]
    assert len(list(doc.sents)) == 2
