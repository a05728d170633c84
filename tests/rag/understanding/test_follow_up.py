"""Follow-ups by rules. The conversations of `follow_ups.jsonl` are invented; the rules were tuned on one half alone."""

import json
from pathlib import Path

import pytest

from ingestion.text.analyser import analyser
from rag.question import Turn
from rag.understanding.follow_up import Rewritten, stand_alone

CONVERSATIONS = [json.loads(line) for line in Path(__file__).with_name("follow_ups.jsonl").read_text().splitlines()]
ENGLISH = ("what", "who", "how", "and", "why", "is", "can")


def rewritten(question: str, *asked: str, language: str = "pl") -> Rewritten:
    history = [Turn(question=earlier, answer="") for earlier in asked]
    return stand_alone(question, history, language=language, llm=None, timeout=1.0)


def of(row: dict) -> Rewritten:
    language = "en" if row["question"].split()[0].lower().strip("?") in ENGLISH else "pl"
    return rewritten(row["question"], *row["history"], language=language)


def lemmas(text: str) -> set[str]:
    return {token.lemma for token in analyser().tokens(text)}


def is_right(row: dict) -> bool:
    if not row["follow_up"]:
        return of(row).text == row["question"]
    found = lemmas(of(row).text)
    return all(lemmas(word) & found for word in row["contains"]) and not any(
        lemmas(word) & found for word in row["lacks"]
    )


@pytest.mark.parametrize("part", ["tuning", "held_out"])
class TestConversations:
    def test_follow_ups_are_told_from_questions_that_stand_alone(self, part: str) -> None:
        rows = [row for row in CONVERSATIONS if row["part"] == part]
        wrong = [row["question"] for row in rows if of(row).changed != row["follow_up"]]
        assert len(rows) >= 45
        assert 1 - len(wrong) / len(rows) >= 0.9, wrong

    def test_what_they_are_worded_as_has_the_right_content_words(self, part: str) -> None:
        rows = [row for row in CONVERSATIONS if row["part"] == part]
        wrong = [(row["question"], of(row).text) for row in rows if not is_right(row)]
        assert 1 - len(wrong) / len(rows) >= 0.85, wrong

    def test_at_most_one_question_in_twenty_that_stands_alone_is_touched(self, part: str) -> None:
        rows = [row for row in CONVERSATIONS if row["part"] == part and not row["follow_up"]]
        wrong = [(row["question"], of(row).text) for row in rows if of(row).text != row["question"]]
        assert len(wrong) <= len(rows) / 20, wrong


def test_without_a_conversation_a_question_stays_as_it_is() -> None:
    assert rewritten("a po roku?") == Rewritten(text="a po roku?")


def test_the_topic_is_carried_along_through_several_turns() -> None:
    asked = ["Jak złożyć wniosek o dodatek mieszkaniowy?", "ile to trwa?", "a kto go podpisuje?", "dlaczego?"]
    assert rewritten("A ile kosztuje?", *asked).text == "Wniosek o dodatek mieszkaniowy: ile kosztuje?"


def test_thanks_and_greetings_in_between_are_no_topic() -> None:
    asked = ["Dzień dobry, ile kosztuje paszport?", "dziękuję!", "ile to 2 + 2?"]
    assert rewritten("a dowód osobisty?", *asked).text == "Ile kosztuje dowód osobisty?"
    assert not rewritten("dziękuję", *asked).changed


def test_a_new_topic_in_between_replaces_the_old_one() -> None:
    asked = ["Jak złożyć wniosek o dodatek mieszkaniowy?", "Ile kosztuje paszport?"]
    assert rewritten("a dowód osobisty?", *asked).text == "Ile kosztuje dowód osobisty?"


@pytest.mark.parametrize(
    ("asked", "question", "text"),
    [
        ("Ile dni urlopu przysługuje po 10 latach?", "a po roku?", "Ile dni urlopu przysługuje po roku?"),
        (
            "Jaki jest okres wypowiedzenia umowy o pracę?",
            "A jeśli umowa jest na czas określony?",
            "Jaki jest okres wypowiedzenia umowy o pracę, jeśli umowa jest na czas określony?",
        ),
        (
            "Jak złożyć wniosek o urlop bezpłatny?",
            "i kto to podpisuje?",
            "Wniosek o urlop bezpłatny: kto to podpisuje?",
        ),
        (
            "Czy mogę pracować zdalnie z zagranicy?",
            "kto to zatwierdza?",
            "Czy mogę pracować zdalnie z zagranicy – kto to zatwierdza?",
        ),
        (
            "Ile dni urlopu wypoczynkowego ma pracownik?",
            "do kiedy go wykorzystać?",
            "Urlop wypoczynkowy: do kiedy go wykorzystać?",
        ),
    ],
)
def test_a_follow_up_is_worded_in_readable_polish(asked: str, question: str, text: str) -> None:
    assert rewritten(question, asked).text == text


@pytest.mark.parametrize(
    ("asked", "question", "text"),
    [
        ("Jak długo trzeba przechowywać faktury?", "A co z umowami?", "Jak długo trzeba przechowywać umowy?"),
        (
            "Jak długo trzeba przechowywać faktury?",
            "a elektroniczne?",
            "Jak długo trzeba przechowywać faktury elektroniczne?",
        ),
        ("Jak często trzeba zmieniać hasło?", "A dlaczego?", "Jak często trzeba zmieniać hasło – dlaczego?"),
        ("Co to jest ePUAP?", "Jak się tam zalogować?", "ePUAP: jak się tam zalogować?"),
        # An application cannot interrupt itself, so "go" is the leave.
        ("Ile trwa urlop wypoczynkowy?", "Czy wniosek go przerywa?", "Urlop wypoczynkowy: czy wniosek go przerywa?"),
        # Of two phrases with the same preposition the last is the one that differs.
        ("Czy w dużej firmie można pracować w biurze?", "a w domu?", "Czy w dużej firmie można pracować w domu?"),
        ("Jakie uprawnienia ma administrator systemu?", "Kto go powołuje?", "Administrator systemu: kto go powołuje?"),
        ("Jakie uprawnienia ma administrator systemu?", "Jak je ograniczyć?", "Uprawnienia: jak je ograniczyć?"),
        ("What is the allowance for France?", "and for Germany?", "What is the allowance for Germany?"),
        ("What is the allowance for France?", "Is it taxed?", "What is the allowance for France – is it taxed?"),
    ],
)
def test_what_a_follow_up_leans_on_is_found(asked: str, question: str, text: str) -> None:
    assert rewritten(question, asked).text == text


def test_why_a_question_was_changed_is_said() -> None:
    assert rewritten("a po roku?", "Ile dni urlopu przysługuje po 10 latach?").reason
    assert "go" in rewritten("do kiedy go wykorzystać?", "Ile dni urlopu ma pracownik?").reason.split("”")[0]
    assert rewritten("Jak zresetować hasło?", "Ile dni urlopu ma pracownik?").reason == ""


def test_few_real_questions_are_polluted_by_the_one_before(shared_data: Path) -> None:
    """Of encyclopaedic and legal questions, in an order that makes each follow another topic."""
    for name, share in {"dyk": 0.02, "poquad": 0.02, "prawo": 0.02}.items():
        lines = (shared_data / "retrieval" / name / "queries.jsonl").read_text(encoding="utf-8").splitlines()[:300]
        questions = [json.loads(line)["text"] for line in lines]
        changed = [q for q in questions if rewritten(q, "Jak wyrobić dowód osobisty?").changed]
        assert len(changed) <= share * len(questions), changed


@pytest.mark.parametrize(
    ("question", "leans"),
    [("po roku pracy", True), ("na podstawie umowy o pracę na czas nieokreślony", False)],
)
def test_only_a_short_phrase_without_a_verb_continues_the_last_question(question: str, leans: bool) -> None:
    assert rewritten(question, "Ile dni urlopu przysługuje po 10 latach?").changed is leans
