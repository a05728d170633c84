"""One search and its correction, on real documents; the web is a function that the test passes."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from ingestion.models import Collection
from knowledgetree.conf import CorrectionSettings, LexicalSettings
from knowledgetree.errors import KnowledgeTreeError
from rag.answering.correction.policy import CorrectedSearch
from rag.answering.correction.web_search.configured import WebPassages
from rag.answering.steps import StepLog
from rag.events import Event, Retrieved, StepChanged
from rag.presets import preset
from rag.question import Evidence, Question
from rag.search.retriever import HybridRetriever
from rag.types import Filters, Passage, QuestionAnalysis, Tokens
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.rag.answering.correction.test_grading import BLANK

GOOD = "Ile dni urlopu przysługuje pracownikowi?"
POOR = "Czy dostanę zwrot za dojazd pociągiem na urlop?"
UNKNOWN = "Kto wygrał finał mistrzostw w żużlu?"


@pytest.fixture(scope="module")
def kept_rules(kept_rows: Kept) -> Collection:
    with kept_rows.writing():
        public = make_public()
        index_text(public, "Pracownikowi przysługuje 26 dni urlopu wypoczynkowego.", name="urlop.md", title="Urlopy")
        index_text(public, "Bilet na pociąg rozlicza się w delegacji.", name="delegacje.md", title="Delegacje")
        index_text(public, "Parking jest czynny od 6 do 22.", name="parking.md", title="Parking")
        return public


@pytest.fixture(autouse=True)
def rules(kept_rules: Collection, db: None) -> Collection:
    return copy(kept_rules)


def gather(
    collection: Collection,
    text: str,
    *,
    search_web: WebPassages | None = None,
    correct: bool = True,
    keywords: Sequence[str] = ("zwrot", "dojazd", "pociąg", "urlop"),
    **options: Any,
) -> tuple[list[Event], Evidence]:
    retriever = HybridRetriever(preset=preset("offline"), lexical=LexicalSettings())
    search = CorrectedSearch(
        retriever=retriever,
        settings=CorrectionSettings(),
        correct=correct,
        web=search_web,
    )
    question = Question(
        text=text,
        language="pl",
        collections=[collection],
        filters=Filters(),
        top_k=5,
        analysis=QuestionAnalysis(keywords=tuple(keywords)),
        **options,
    )
    events: list[Event] = []
    work = search.gather(question, StepLog())
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


def kinds(events: Sequence[Event]) -> list[str]:
    """Of the steps that ended."""
    return [event.step.kind for event in events if isinstance(event, StepChanged) and event.step.status != "running"]


def test_a_good_search_stands(rules: Collection) -> None:
    events, evidence = gather(rules, GOOD)
    assert evidence.result.quality == "HIGH"
    assert not evidence.corrected
    assert kinds(events) == ["rag_search"]
    assert sum(isinstance(event, Retrieved) for event in events) == 1


def test_a_poor_search_is_worded_anew_and_the_better_of_two_is_kept(rules: Collection) -> None:
    events, evidence = gather(rules, POOR)
    assert kinds(events) == ["rag_search", "rag_search"]
    again = [event.step for event in events if isinstance(event, StepChanged)][-1]
    assert again.queries[0] == POOR
    assert len(again.queries) > 1
    first = next(event for event in events if isinstance(event, Retrieved))
    assert max(p.relevance for p in evidence.result.passages) >= max(p.relevance for p in first.passages)


def test_a_second_search_that_is_no_better_is_no_correction(rules: Collection) -> None:
    events, evidence = gather(rules, POOR, keywords=())  # so that it is worded as it was
    assert kinds(events) == ["rag_search", "rag_search"]
    assert sum(isinstance(event, Retrieved) for event in events) == 1
    assert not evidence.corrected


def test_a_preset_without_correction_searches_once(rules: Collection) -> None:
    events, _ = gather(rules, POOR, correct=False)
    assert kinds(events) == ["rag_search"]


def test_a_cancelled_question_is_not_searched_again(rules: Collection) -> None:
    events, _ = gather(rules, POOR, cancelled=lambda: True)
    assert kinds(events) == ["rag_search"]


class TestTheWeb:
    page = replace(
        BLANK,
        chunk_id=0,
        document_id=0,
        uri="https://zuzel.example/final",
        title="Finał",
        origin="web",
        relevance=0.8,
        text="Finał wygrał Nowak.",
    )

    def test_it_is_asked_only_where_the_assistant_may(self, rules: Collection) -> None:
        asked: list[str] = []

        def web(text: str, language: str) -> tuple[list[Passage], Tokens]:
            asked.append(f"{language}: {text}")
            return [self.page], Tokens(input=5)

        _, kept_in = gather(rules, UNKNOWN, search_web=web)
        assert not asked
        assert not kept_in.web_fallback
        events, evidence = gather(rules, UNKNOWN, search_web=web, web=True)
        assert asked == [f"pl: {UNKNOWN}"]
        assert evidence.web_fallback
        assert evidence.result.passages[0] == self.page
        assert kinds(events)[-1] == "web_search"

    def test_its_failure_leaves_the_documents(self, rules: Collection) -> None:
        def web(text: str, language: str) -> tuple[list[Passage], Tokens]:
            raise KnowledgeTreeError("wyszukiwarka nie odpowiada")

        events, evidence = gather(rules, UNKNOWN, search_web=web, web=True)
        assert not evidence.web_fallback
        steps = [event.step for event in events if isinstance(event, StepChanged)]
        assert steps[-1].status == "failed"
        assert "nie odpowiada" in steps[-1].reasoning

    def test_it_is_not_asked_where_the_documents_do(self, rules: Collection) -> None:
        def web(text: str, language: str) -> tuple[list[Passage], Tokens]:
            raise AssertionError("asked")

        _, evidence = gather(rules, GOOD, search_web=web, web=True)
        assert evidence.result.quality == "HIGH"
