from collections.abc import Collection

import pytest

from ingestion.text.analyser import PolishAnalyser


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
        ("obowiązywać", "obowiązującego"),
        ("zgłaszać", "zgłaszająca"),
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
    text = "Wniosek o 26 dni urlopu w KSeF 2.0."
    written = [text[token.start : token.end] for token in analyser.tokens(text)]
    assert written == ["Wniosek", "o", "26", "dni", "urlopu", "w", "KSeF", "2.0"]


@pytest.mark.parametrize("text", ["12 marca 2024 r.", "12.03.2024", "2024-03-12"])
def test_a_date_is_found_in_every_notation(analyser: PolishAnalyser, text: str) -> None:
    assert {"12", "marzec", "2024", "2024-03-12"} <= set(lemmas(analyser, text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NIP 123-456-32-18", "1234563218"),
        ("art. 5", "art.5"),
        ("§ 12 ust. 3", "§12"),
        ("ust. 3", "ust.3"),
        ("HTTP 429", "429"),
        ("KSeF 2.0", "2.0"),
        ("e-faktury", "faktura"),
        ("biało-czerwony", "czerwony"),
        ("170 000 zł", "170000"),
    ],
)
def test_identifiers_survive(analyser: PolishAnalyser, text: str, expected: str) -> None:
    assert expected in lemmas(analyser, text)


@pytest.mark.parametrize(
    "family",
    [("rozliczenie", "rozliczony", "rozliczyć"), ("zapytanie", "zapytań", "zapytać"), ("żółw", "żółwie", "żółwiom")],
)
def test_a_verb_and_what_is_made_of_it_find_each_other(analyser: PolishAnalyser, family: tuple[str, ...]) -> None:
    assert len({tuple(lemmas(analyser, word)) for word in family}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Zgodnie z art. 5 ust. 2, JWT-a wydano 12 marca 2024 r. dla e-faktury na 1 234,56 zł.",
        "Art. 5\nust.\u00a02 pkt 3 i § 7; od 1 maja 2024 do 30 września 2024 r., w 2024 roku (zob. „RODO”).",
        "12\u00a0000 osób, 5  kwietnia 2024,\t170\u202f000 zł  i 3 w 4 \u0301",
        "",
    ],
)
def test_words_and_tokens_agree(analyser: PolishAnalyser, text: str) -> None:
    assert [(token.form, token.lemma) for token in analyser.tokens(text)] == analyser.words(text)


def test_lemmas_that_are_kept_elsewhere_are_asked_for_once() -> None:
    analyser, asked = PolishAnalyser(), []

    def kept(forms: Collection[str]) -> dict[str, str]:
        asked.append(set(forms))
        return {"ustawie": "z indeksu"}

    analyser.learn(analyser.pieces("W ustawie, ustawie."), kept)
    analyser.learn(analyser.pieces("W (ustawie)!"), kept)
    assert asked == [{"w", "ustawie"}]
    assert analyser.words("w ustawie") == [("w", "w"), ("ustawie", "z indeksu")]


def test_question_words_carry_no_topic(analyser: PolishAnalyser) -> None:
    topic = [t.form for t in analyser.tokens("Ile dni urlopu mi przysługuje?") if not analyser.is_stop_word(t)]
    assert topic == ["dni", "urlopu", "przysługuje"]


def test_the_spacy_pipeline_has_the_lemmas_of_the_index() -> None:
    from ingestion.text.names.pipeline import polish  # here: spaCy takes each process that collects two seconds

    doc = polish()("Pracownikowi przysługuje urlop, np. na żądanie. Wniosek składa się wcześniej.")
    assert [token.lemma_ for token in doc][:3] == ["pracownik", "przysługiwać", "urlop"]
    assert len(list(doc.sents)) == 2
