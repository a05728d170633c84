"""Research by plan on real documents, with the real search."""

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from ingestion.models import Collection
from knowledgetree.conf import CorrectionSettings, LexicalSettings, ResearchSettings
from rag.answering.correction.policy import CorrectedSearch
from rag.answering.research.planned import PlannedResearch
from rag.answering.steps import StepLog
from rag.answering.synthesis.extractive import ExtractiveSynthesizer
from rag.events import Event, StepChanged
from rag.presets import preset
from rag.question import Evidence, Question
from rag.search.retriever import HybridRetriever
from rag.types import Filters, Step
from tests.conftest import index_text, make_public
from tests.kept import Kept

COMPARISON = "Czym różni się umowa o pracę od umowy zlecenia?"


@pytest.fixture(scope="module")
def kept_contracts(kept_rows: Kept) -> Collection:
    with kept_rows.writing():
        public = make_public()
        index_text(public, "Umowa o pracę daje prawo do płatnego urlopu.", name="praca.md", title="Umowa o pracę")
        index_text(public, "Umowa zlecenia nie daje prawa do urlopu.", name="zlecenie.md", title="Umowa zlecenia")
        index_text(public, "Opłata skarbowa wynosi 17 zł.", name="oplata.md", title="Opłata skarbowa")
        index_text(public, "Opłatę skarbową wnosi się w kasie urzędu do 14 dni.", name="kasa.md", title="Kasa")
        return public


@pytest.fixture(autouse=True)
def contracts(kept_contracts: Collection, db: None) -> Collection:
    return copy(kept_contracts)


def research(collection: Collection, text: str, **options: Any) -> tuple[list[Step], Evidence]:
    cancelled: Callable[[], bool] = options.pop("cancelled", lambda: False)
    retriever = HybridRetriever(preset=preset("offline"), lexical=LexicalSettings())
    search = CorrectedSearch(retriever=retriever, settings=CorrectionSettings(), correct=False)
    gathering = PlannedResearch(
        search=search,
        notes=ExtractiveSynthesizer(),
        settings=ResearchSettings(**options),
    )
    question = Question(
        text=text, language="pl", collections=[collection], filters=Filters(), top_k=5, cancelled=cancelled
    )
    work, events = gathering.gather(question, StepLog()), list[Event]()
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            steps = [event.step for event in events if isinstance(event, StepChanged)]
            return [step for step in steps if step.status != "running"], end.value


def titles(evidence: Evidence) -> set[str]:
    return {passage.title for passage in evidence.result.passages}


def test_both_sides_of_a_comparison_are_found(contracts: Collection) -> None:
    steps, evidence = research(contracts, COMPARISON)
    assert [step.kind for step in steps] == ["analysis", "rag_search", "rag_search", "rag_search"]
    assert titles(evidence) >= {"Umowa o pracę", "Umowa zlecenia"}


def test_a_later_part_that_points_back_is_worded_to_stand_alone(contracts: Collection) -> None:
    steps, evidence = research(contracts, "Ile wynosi opłata skarbowa i kiedy trzeba ją wnieść?")
    assert "opłata skarbowa" in steps[-1].queries[0].lower()
    assert titles(evidence) >= {"Opłata skarbowa", "Kasa"}


def test_the_budget_of_queries_is_kept(contracts: Collection) -> None:
    steps, _ = research(contracts, COMPARISON, queries=2)
    assert [step.kind for step in steps].count("rag_search") == 2


def test_a_spent_time_leaves_the_first_search(contracts: Collection) -> None:
    steps, evidence = research(contracts, COMPARISON, seconds=0.0)
    assert [step.kind for step in steps].count("rag_search") == 1
    assert evidence.result.passages


def test_a_newer_question_ends_it(contracts: Collection) -> None:
    steps, _ = research(contracts, COMPARISON, cancelled=lambda: True)
    assert [step.kind for step in steps].count("rag_search") == 1
