"""The phrasings here are our own; those in `fixtures/intents` are labelled by someone else, and `unseen` by no look."""

import json
from pathlib import Path
from typing import get_args

import pytest

from ingestion.text.diacritics import fold
from rag.understanding.intent import Intent, breadth, classify
from tests.steps import steps

SURE = 0.7  # a confidence that reads as "hardly anything else"

FIXTURES = Path(__file__).parents[3] / "fixtures" / "intents"

PHRASINGS: dict[Intent, list[str]] = {
    "performance": [
        "Dlaczego wyszukiwanie działa tak wolno?",
        "Jak przyspieszyć generowanie raportów?",
        "Strona ładuje się całą wieczność, co jest nie tak?",
        "System zawiesza się przy dużych plikach",
        "Jak zoptymalizować zapytania do bazy?",
        "Ile pamięci RAM zużywa serwer przy stu użytkownikach?",
        "Czy więcej rdzeni poprawi czas odpowiedzi?",
        "Poczta laguje od rana",
        "The dashboard takes forever to load",
        "How can we improve query latency?",
        "What is the throughput of the indexing pipeline?",
    ],
    "comparison": [
        "Czym się różni umowa o pracę od umowy zlecenia?",
        "Porównaj taryfę dzienną i nocną",
        "Co wybrać: podpis kwalifikowany czy profil zaufany?",
        "Jakie są wady i zalety pracy zdalnej?",
        "Który wariant jest tańszy, leasing czy wynajem?",
        "Redis vs Memcached",
        "urlop bezpłatny a urlop wychowawczy",
        "Jakie są podobieństwa między protokołem a notatką służbową?",
        "What is the difference between gross and net salary?",
        "Is the annual plan better than the monthly one?",
        "Should we use Docker or a plain virtual machine?",
    ],
    "technical": [
        "Jak skonfigurować serwer SMTP?",
        "Jak działa wyszukiwanie wektorowe?",
        "Błąd 500 po wysłaniu formularza",
        "Nie działa logowanie przez LDAP",
        "Jakie nagłówki trzeba wysłać do endpointu /search?",
        "Jak zainstalować certyfikat SSL na serwerze?",
        "Połączenie z bazą danych zwraca błąd autoryzacji",
        "W jaki sposób system szyfruje kopie zapasowe?",
        "How does the tokenizer split Polish words?",
        "Docker container fails with exit code 137",
        "How do I deploy the backend to Kubernetes?",
    ],
    "summary": [
        "Streść uchwałę budżetową",
        "Podsumuj wyniki ankiety pracowniczej",
        "O czym jest ten raport?",
        "Jakie są najważniejsze zmiany w regulaminie wynagradzania?",
        "Krótko: czego dotyczy umowa z dostawcą?",
        "Co się zmieniło w polityce rachunkowości?",
        "Przedstaw w punktach główne wnioski z kontroli",
        "Zrób notatkę z protokołu sesji rady",
        "Summarise the annual report in five sentences",
        "What are the main findings of the inspection?",
        "What is the data protection policy about?",
    ],
    "factoid": [
        "Ile dni urlopu przysługuje po dziesięciu latach pracy?",
        "Kto jest inspektorem ochrony danych?",
        "Do kiedy składa się zeznanie roczne?",
        "Jaka jest stawka VAT na książki?",
        "Gdzie znajduje się sala konferencyjna?",
        "Jaki jest NIP spółki?",
        "Co oznacza skrót KPA?",
        "godziny otwarcia kasy",
        "Jak długo przechowuje się dokumentację kadrową?",
        "Który wydział wydaje pozwolenia na budowę?",
        "How many vacation days do new employees get?",
        "Who approves business trips?",
    ],
    "procedure": [
        "Jak złożyć wniosek o urlop?",
        "Co muszę zrobić, żeby zarejestrować samochód?",
        "Jakie dokumenty dołączyć do wniosku o dofinansowanie?",
        "Gdzie zgłosić zgubienie legitymacji?",
        "Jak krok po kroku założyć profil zaufany?",
        "W jaki sposób mogę odwołać się od decyzji?",
        "Chciałbym zmienić numer konta do wypłaty",
        "Od czego zacząć rejestrację firmy?",
        "Jak się zapisać na szkolenie BHP?",
        "How do I submit an expense report?",
        "What steps are needed to onboard a new contractor?",
    ],
    "unknown": [
        "Dzień dobry, mam pytanie",
        "dzięki!",
        "umowa najmu",
        "Kowalski",
        "czy możesz mi pomóc?",
        "Hello, can you help me please",
        "qwerty",
        "a to?",
    ],
}
CASES = [(question, intent) for intent, questions in PHRASINGS.items() for question in questions]

ENTITIES = [
    ("Czyj jest NIP 123-456-32-18?", ("NIP 123-456-32-18",)),
    ("Co mówi § 12 ust. 3 regulaminu?", ("§ 12 ust. 3",)),
    ("Dlaczego dostaję HTTP 429?", ("HTTP 429",)),
    ("Od kiedy obowiązuje KSeF 2.0?", ("KSeF 2.0",)),
    ("Jak rozumieć art. 5 ust. 1 lit. b RODO?", ("art. 5 ust. 1 lit. b", "RODO")),
    ("Jak odświeżyć JWT-a?", ("JWT",)),
    ("Kiedy Urząd Miasta przyjmuje interesantów?", ("Urząd Miasta",)),
    ("Urząd Miasta przyjmuje kiedy?", ("Urząd Miasta",)),
    ("Porównaj Redis i PostgreSQL 16", ("Redis", "PostgreSQL 16")),
    ("Gdzie w pliku settings.py jest MAX_UPLOAD_SIZE i .env?", ("settings.py", "MAX_UPLOAD_SIZE", ".env")),
    ("Streść zarządzenie nr 45/2024", ("45/2024",)),
    ("Dz.U. 2023 poz. 1465 to co?", ("Dz.U. 2023 poz. 1465",)),
    ("Faktura jest gotowa. Kiedy trzeba zapłacić?", ()),
    ("JAK ZŁOŻYĆ WNIOSEK O URLOP", ()),
    ("Porównaj KSeF 2.0 z eIDAS w Urzędzie Miasta Krakowa", ("KSeF 2.0", "eIDAS", "Urzędzie Miasta Krakowa")),
    ("How do I set up Active Directory?", ("Active Directory",)),
    ("gdzie jest sekretariat", ()),
]


def accuracy(name: str) -> float:
    lines = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line]
    return sum(classify(case["question"]).intent == case["intent"] for case in cases) / len(cases)


@pytest.mark.parametrize(("question", "intent"), CASES)
def test_a_question_has_its_intent(question: str, intent: Intent) -> None:
    assert classify(question).intent == intent


@pytest.mark.parametrize(("question", "intent"), CASES)
def test_without_diacritics_or_capitals_the_intent_is_the_same(question: str, intent: Intent) -> None:
    plain = fold(question).lower()
    assert classify(plain).intent == intent
    assert classify(plain).confidence == classify(question).confidence
    assert classify(plain.upper()).intent == intent


@pytest.mark.parametrize(("name", "least"), [("seen", 0.9), ("unseen", 0.85)])
def test_intents_of_labelled_questions_are_found(name: str, least: float) -> None:
    reached = accuracy(name) >= least  # a bare name: a failure shows no question
    assert reached


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\t", "?", "?!…", "🙂", "---", "„”", "\x00", "a" * 20_000, "ość " * 9_000]
)
def test_nothing_to_go_by_is_unknown(text: str) -> None:
    assert classify(text).intent == "unknown"


def test_a_greeting_is_surely_unknown_and_a_bare_topic_is_not() -> None:
    assert classify("Dzień dobry").confidence >= SURE
    assert classify("faktury korygujące").confidence < SURE


def test_confidence_falls_when_two_intents_compete() -> None:
    clear = classify("Porównaj umowę zlecenie i umowę o dzieło")
    torn = classify("Jak podłączyć wodomierz?")
    assert 0 <= torn.confidence < SURE <= clear.confidence <= 1


def test_words_of_law_are_not_taken_for_slowness() -> None:
    for question in (
        "Czy wolno wnosić napoje na salę?",
        "Czy decyzja zwalnia z opłaty?",
        "Kiedy są dni wolne od pracy?",
        "Jak zgłosić zawieszenie działalności gospodarczej?",
    ):
        assert classify(question).intent != "performance"


def test_keywords_are_content_lemmas_with_names_first() -> None:
    words = classify("Porównaj umowy w PostgreSQL i dokumentach").keywords
    assert words == ("postgresql", "dokument", "umowa")
    assert not {"który", "ktora", "sie"} & set(classify("ktora umowa sie oplaca").keywords)


@pytest.mark.parametrize(("question", "expected"), ENTITIES)
def test_entities_are_found_as_written(question: str, expected: tuple[str, ...]) -> None:
    assert classify(question).entities == expected


def test_every_intent_has_its_breadth() -> None:
    assert all(0 < breadth(intent).threshold < 1 and breadth(intent).limit > 0 for intent in get_args(Intent))
    performance, comparison, technical = (breadth(intent) for intent in ("performance", "comparison", "technical"))
    assert (performance.threshold, performance.limit) == (0.15, 15)
    assert (comparison.threshold, comparison.limit) == (0.20, 12)
    assert (technical.threshold, technical.limit) == (0.25, 10)


def test_a_question_is_classified_in_some_hundred_steps() -> None:
    """Of at most a few thousand a millisecond."""
    for question, _ in CASES:
        classify(question)  # fills the dictionary's caches, as in a running server
        assert steps(lambda question=question: classify(question)) < 1_000  # type: ignore[misc]
