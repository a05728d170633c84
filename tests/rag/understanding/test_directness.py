"""Precision comes first: what is answered directly is never looked up, so a question must never be taken for it."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from rag.question import Turn
from rag.understanding.courtesy import without_greeting
from rag.understanding.directness import Direct, without_retrieval

FIXTURES = Path(__file__).parents[3] / "fixtures"
HISTORY = [
    Turn(question="Ile dni urlopu przysługuje?", answer="26 dni [1]. Po roku 20 [2]."),
    Turn(question="Kto podpisuje wniosek?", answer="Kierownik [1]."),
]


def direct(question: str, history: list[Turn] | None = None, language: str = "pl") -> Direct | None:
    return without_retrieval(question, history or [], language=language)


@pytest.mark.parametrize(
    ("kind", "questions"),
    [
        ("greeting", ["Dzień dobry", "dzien dobry!", "cześć!", "Hej", "hello", "Good morning", "hej, jesteś tam?"]),
        (
            "thanks",
            ["dziękuję", "Dzięki za pomoc!", "Dziękuję bardzo", "ok, dzięki", "thanks a lot", "Dziękuję, to wszystko"],
        ),
        ("goodbye", ["do widzenia", "Dziękuję, do widzenia!", "pa", "bye", "Miłego dnia!"]),
        (
            "about",
            ["kim jesteś?", "Co potrafisz?", "Cześć, w czym możesz mi pomóc?", "who are you", "What can you do?"],
        ),
        ("arithmetic", ["ile to 15% z 2400?", "2+2*3", "Cześć, ile to jest 2 plus 2?", "what is 3 * 4?"]),
        ("date", ["jaki dziś jest dzień?", "Którego dzisiaj mamy?", "która jest godzina?", "what day is it today?"]),
        (
            "conversation",
            ["o co pytałem przed chwilą?", "powtórz odpowiedź", "Jakie było moje pierwsze pytanie?", "repeat that"],
        ),
    ],
)
def test_what_needs_no_documents_is_answered_at_once(kind: str, questions: list[str]) -> None:
    assert [(answer := direct(question, HISTORY)) and answer.kind for question in questions] == [kind] * len(questions)


@pytest.mark.parametrize(
    "question",
    [
        "Dzień dobry, ile dni urlopu mi przysługuje?",
        "Cześć, mam pytanie: kto podpisuje wniosek?",
        "dziękuję za informację o urlopie, a ile dni ma student?",
        "Jaki dzień jest wolny za święto w sobotę?",
        "Która godzina rozpoczyna ciszę nocną?",
        "Kim jest inspektor ochrony danych?",
        "Co potrafi system EZD?",
        "Jak działa podpis kwalifikowany?",
        "Powtórz zasady zmiany hasła z regulaminu",
        "Pomoc społeczna",
        "Jakie jest pierwsze pytanie w ankiecie?",
        "O co pytał kontroler w protokole?",
        "Ile wynosi 15% z wynagrodzenia?",
        "Data wejścia w życie regulaminu",
        "hello world w Pythonie",
        "Super User w Linuksie",
        "",
    ],
)
def test_a_question_is_looked_up(question: str) -> None:
    assert direct(question, HISTORY) is None


def test_no_labelled_question_is_taken_for_anything_else() -> None:
    lines = (FIXTURES / "urzad" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    for part in ("seen", "unseen"):
        rows = map(json.loads, (FIXTURES / "intents" / f"{part}.jsonl").read_text(encoding="utf-8").splitlines())
        questions += [row["question"] for row in rows if row["intent"] != "unknown"]
    assert len(questions) > 150
    assert [question for question in questions if direct(question)] == []


def test_none_of_the_development_questions_is_taken_for_anything_else(shared_data: Path) -> None:
    files = sorted((shared_data / "retrieval").glob("*/queries*.jsonl"))
    rows = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 8000
    assert [row["text"] for row in rows if direct(row["text"])] == []


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Dzień dobry, ile dni urlopu mi przysługuje?", "Ile dni urlopu mi przysługuje?"),
        ("czesc! kto podpisuje wniosek", "Kto podpisuje wniosek"),
        ("Dzień dobry ile mam urlopu?", "Ile mam urlopu?"),
        ("Witam, mam pytanie: jak zmienić hasło?", "Jak zmienić hasło?"),
        ("Hi, quick question: who approves leave?", "Who approves leave?"),
        ("Dzień dobry TVN, kto prowadzi?", "Dzień dobry TVN, kto prowadzi?"),
        ("Ile dni urlopu?", "Ile dni urlopu?"),
        ("Dzień dobry!", "Dzień dobry!"),
    ],
)
def test_a_greeting_in_front_of_a_question_is_no_part_of_it(question: str, rest: str) -> None:
    assert without_greeting(question) == rest


class TestAnswers:
    def test_a_sum_is_written_in_the_notation_of_the_language(self) -> None:
        assert direct("1 234,50 * 12") == Direct(text="1 234,50 * 12 = 14\u00a0814", kind="arithmetic")
        assert direct("0,5 * 3", language="en") == Direct(text="0,5 * 3 = 1.5", kind="arithmetic")

    def test_division_by_zero_is_answered_with_what_to_do(self) -> None:
        answer = direct("ile to 5/0?", language="en")
        assert answer is not None
        assert answer.text.startswith("One cannot divide by zero.")

    def test_the_date_is_todays(self) -> None:
        answer = direct("What day is it?", language="en")
        assert answer is not None
        assert str(timezone.localtime().year) in answer.text
        assert timezone.localtime().strftime("%A") in answer.text

    def test_the_conversation_is_remembered(self) -> None:
        last, first = (direct(q, HISTORY) for q in ("o co pytałam?", "jakie było moje pierwsze pytanie?"))
        assert last is not None
        assert first is not None
        assert HISTORY[1].question in last.text
        assert HISTORY[0].question in first.text

    def test_an_answer_is_not_said_again_without_its_sources(self) -> None:
        answer = direct("powtórz", HISTORY[:1])
        assert answer is not None
        assert HISTORY[0].answer not in answer.text

    def test_without_a_conversation_it_says_so(self) -> None:
        answer = direct("o co pytałem?", [], language="en")
        assert answer is not None
        assert answer.text == "You have not asked anything in this conversation yet."


@pytest.mark.parametrize("zone", ["Etc/GMT-14", "Etc/GMT+12"])
def test_day_and_hour_are_those_of_the_installation(settings: Any, zone: str) -> None:
    """At every moment one of these two zones has another day than UTC, and both have another hour."""
    settings.TIME_ZONE = zone
    before = timezone.localtime()
    hour, day = direct("która jest godzina?"), direct("jaki dziś jest dzień?")
    after = timezone.localtime()
    assert hour
    assert day
    assert any(f"{moment:%H:%M}" in hour.text for moment in (before, after))
    assert any(f"{moment.day} " in day.text and str(moment.year) in day.text for moment in (before, after))
