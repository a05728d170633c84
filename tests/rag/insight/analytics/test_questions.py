"""What was asked, what is missing and what is cited; and who may see which of it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from ingestion.models import Collection
from ingestion.selectors import operator
from rag.insight.analytics import period_called
from rag.insight.analytics.citations import citing_of
from rag.insight.analytics.gaps import gaps_of
from rag.insight.analytics.questions import exchanges_of, grouped
from tests.conftest import AddDocument
from tests.rag.insight.analytics.exchanges import asked, warsaw

pytestmark = pytest.mark.django_db
NOW = warsaw("2026-11-21 16:20")
WEEK = period_called("7d", now=NOW)
ORDERS = "Jak zamówić krzesło? Krzesło zamawia pracownik. Pracownik zamawia też biurko i komputer."


def missing(question: str, *, hours: int = 0, **fields: object) -> None:
    asked(question, at=NOW - timedelta(hours=hours), outcome="not_found", quality="LOW", **fields)  # type: ignore[arg-type]


def test_questions_worded_alike_count_as_one() -> None:
    asked("Ile dni urlopu przysługuje pracownikowi?", at=NOW - timedelta(hours=2))
    asked("ile dni urlopu przysługuje pracownikowi", at=NOW - timedelta(hours=1), outcome="not_found")
    asked("Kto zatwierdza delegację?", at=NOW)
    asked("Dzień dobry", at=NOW, outcome="direct")
    asked("Ile dni urlopu przysługuje pracownikowi?", at=NOW - timedelta(days=8))
    found = grouped(exchanges_of(WEEK, operator()))
    assert [(one.text, one.times, one.not_found) for one in found] == [
        ("ile dni urlopu przysługuje pracownikowi", 2, 1),
        ("Kto zatwierdza delegację?", 1, 0),
    ]


def test_gaps_are_the_subjects_that_the_documents_never_speak_of(public: Collection, index: AddDocument) -> None:
    for number in range(12):
        index(public, f"{ORDERS} Pozycja {number}.", name=f"{number}.txt")
    missing("Jak zamówić catering?", hours=5)
    missing("Kto zamawia catering na spotkanie?", hours=4)
    missing("Jak zamówić helikopter?", hours=3)
    missing("Gdzie zaparkować rower?", hours=2)
    catering, *others = gaps_of(WEEK, operator())
    assert catering.subject[0] == "catering"
    assert {question.text for question in catering.questions} == {
        "Jak zamówić catering?", "Kto zamawia catering na spotkanie?",
    }  # fmt: skip
    assert [gap.questions[0].text for gap in others] == ["Gdzie zaparkować rower?", "Jak zamówić helikopter?"]


def test_one_rare_word_in_common_joins_questions_whose_other_words_stand_alone() -> None:
    """Even where no document tells which words are rare: 1 / (1 + 2 · ½²) = 2/3, while equal weights make 1/3."""
    for question in (
        "Czy firma płaci za catering?",
        "Kto dostarcza catering gościom?",
        "Ile kosztuje catering w 2026?",
    ):
        missing(question)
    (gap,) = gaps_of(WEEK, operator())
    assert (gap.subject[0], gap.times) == ("catering", 3)


def test_questions_too_many_to_compare_are_gaps_of_their_own() -> None:
    for hours, question in enumerate(
        ("Czy firma płaci za catering?", "Kto płaci za catering?", "Kto płaci za catering tu?")
    ):
        missing(question, hours=hours)
    gaps = gaps_of(WEEK, operator(), most=2)
    assert [gap.times for gap in gaps] == [2, 1]
    assert "catering" in gaps[1].subject


def test_a_gap_counts_every_asking_and_the_one_asked_most_comes_first() -> None:
    missing("Czy jest parking dla rowerów?", hours=1)
    for hours in (5, 4, 3):
        missing("Jak wypożyczyć samochód?", hours=hours)
    asked("Jak wypożyczyć samochód?", at=NOW - timedelta(hours=2), quality="LOW")
    first, second = gaps_of(WEEK, operator())
    assert (first.times, first.not_found, first.last) == (4, 3, NOW - timedelta(hours=2))
    assert (second.times, second.not_found) == (1, 1)


def test_what_was_answered_or_found_on_the_web_is_no_gap() -> None:
    asked("Ile dni urlopu?", at=NOW)
    asked("Kto jest prezydentem?", at=NOW, quality="LOW", web_fallback=True)
    asked("Dzień dobry", at=NOW, outcome="direct", quality="")
    assert gaps_of(WEEK, operator()) == []


def test_a_question_without_any_word_is_a_gap_of_its_own() -> None:
    missing("???")
    missing("co to jest?")
    assert len(gaps_of(WEEK, operator())) == 2


def test_questions_about_a_hidden_collection_are_not_shown(
    restricted: Collection, employee: User, member: User
) -> None:
    missing("Ile zarabia dyrektor?", collections=(restricted,))
    missing("Gdzie zaparkować rower?")
    assert [gap.questions[0].text for gap in gaps_of(WEEK, employee)] == ["Gdzie zaparkować rower?"]
    assert [one.text for one in grouped(exchanges_of(WEEK, employee))] == ["Gdzie zaparkować rower?"]
    assert len(gaps_of(WEEK, member)) == 2


def test_cited_documents_count_answers_and_the_others_are_named(
    public: Collection, restricted: Collection, index: AddDocument, employee: User
) -> None:
    often, once, never = (index(public, f"Dokument {name}.", name=f"{name}.txt", title=name) for name in "abc")
    secret = index(restricted, "Tajne.", name="s.txt", title="Tajne")
    asked(at=NOW, cites=(often, often, once))
    asked(at=NOW, cites=(often, secret))
    asked(at=NOW - timedelta(days=8), cites=(never,))
    citing = citing_of(WEEK, employee, limit=5)
    assert [(one.title, one.answers) for one in citing.most] == [("a", 2), ("b", 1)]
    assert (citing.cited, citing.never, [one.title for one in citing.never_oldest]) == (2, 1, ["c"])
    assert citing_of(WEEK, operator(), limit=5).cited == 3
    assert [one.title for one in citing_of(WEEK, operator(), limit=1).most] == ["a"]
