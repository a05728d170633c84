"""Words of questions to organisations, and of questions about anything else."""

from ingestion.text.analyser import analyser
from rag.answering.judgement.usual_words import usualness


def usual(question: str) -> float:
    return usualness(lemma for _, lemma in analyser().words(question))


def test_what_people_ask_offices_is_more_usual_than_what_they_ask_anybody() -> None:
    office = min(map(usual, ("Gdzie złożyć wniosek o dodatek mieszkaniowy?", "nie mogę się zalogować do poczty")))
    assert max(map(usual, ("Jak ugotować barszcz?", "kto strzelił gola w finale mundialu"))) < 0.5 < office


def test_another_language_is_not_another_world() -> None:
    assert usual("How many vacation days do I have?") > 0.5
    assert usual("Скільки днів відпустки?") > 0.5


def test_a_word_that_nobody_used_tells_nothing() -> None:
    assert 0.5 < usual("Xyzzyk") < 1
    assert usual("dodatek mieszkaniowy xyzzyk") == usual("dodatek mieszkaniowy")
