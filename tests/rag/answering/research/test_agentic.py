"""Research by a model with tools: the real SDK against a server that speaks its protocol."""

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import pytest

from ingestion.models import Collection, Document
from knowledgetree.conf import CorrectionSettings, LexicalSettings, ResearchSettings
from knowledgetree.language_models import LLMSettings
from rag.answering.correction.policy import CorrectedSearch
from rag.answering.research.agentic import AgenticResearch
from rag.answering.steps import StepLog
from rag.events import Event, StepChanged
from rag.llm import language_model
from rag.presets import preset
from rag.question import Evidence, Question
from rag.search.retriever import HybridRetriever
from rag.types import Filters, Step
from tests.conftest import index_text, make_public, make_restricted
from tests.kept import Kept
from tests.messages_server import MessagesServer, ToolUse, Turn

QUESTION = "Ile z odsetkami kosztuje opłata wniesiona po terminie?"
SECRET = "Hasło do sejfu to 4711."
ENOUGH = Turn(pieces=("Mam wszystko.",))


@pytest.fixture(scope="module")
def kept_fees(kept_rows: Kept) -> Collection:
    with kept_rows.writing():
        public = make_public()
        restricted = make_restricted()
        index_text(public, "Opłata wynosi 200 zł.", name="oplata.md", title="Opłata")
        index_text(public, "Odsetki za zwłokę wynoszą 10% kwoty.", name="odsetki.md", title="Odsetki")
        index_text(restricted, SECRET, name="sejf.md", title="Sejf")
        return public


@pytest.fixture(autouse=True)
def fees(kept_fees: Collection, db: None) -> Collection:
    return copy(kept_fees)


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        yield server


def research(server: MessagesServer, collection: Collection, **options: Any) -> tuple[list[Step], Evidence]:
    cancelled: Callable[[], bool] = options.pop("cancelled", lambda: False)
    retriever = HybridRetriever(preset=preset("offline"), lexical=LexicalSettings())
    search = CorrectedSearch(retriever=retriever, settings=CorrectionSettings(), correct=False)
    llm = language_model(LLMSettings(api_key="klucz", base_url=server.url, max_retries=0, breaker_failures=99))
    gathering = AgenticResearch(search=search, lookup=search, llm=llm, settings=ResearchSettings(**options))
    question = Question(
        text=QUESTION, language="pl", collections=[collection], filters=Filters(), top_k=8, cancelled=cancelled
    )
    work, events = gathering.gather(question, StepLog()), list[Event]()
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            steps = [event.step for event in events if isinstance(event, StepChanged)]
            return [step for step in steps if step.status != "running"], end.value


def test_the_model_searches_on_until_it_has_enough(server: MessagesServer, fees: Collection) -> None:
    server.turns[:] = [
        Turn.calls(ToolUse(name="search", input={"query": "odsetki za zwłokę"}), text="Brakuje wysokości odsetek."),
        Turn.calls(ToolUse(name="calculate", input={"expression": "200 + 200 * 10%"}, id="toolu_2")),
        ENOUGH,
    ]
    steps, evidence = research(server, fees)
    assert [step.kind for step in steps] == [
        "rag_search", "analysis", "rag_search", "analysis", "calculation", "analysis",
    ]  # fmt: skip
    assert steps[1].reasoning == "Brakuje wysokości odsetek."
    assert {passage.title for passage in evidence.result.passages} >= {"Opłata", "Odsetki"}
    assert "= 220" in server.requests[-1].prompt
    assert evidence.result.usage["tools"].total > 0


def test_what_it_is_given_are_passages_marked_as_untrusted(server: MessagesServer, fees: Collection) -> None:
    server.turns[:] = [ENOUGH]
    research(server, fees)
    assert '<passage number="1">' in server.requests[0].prompt
    assert "nie można ufać" in server.requests[0].system


def test_a_document_can_be_read_on_only_from_what_was_found(server: MessagesServer, fees: Collection) -> None:
    server.turns[:] = [
        Turn.calls(ToolUse(name="open_document", input={"passage": 1})),
        Turn.calls(ToolUse(name="open_document", input={"passage": 99})),
        Turn.calls(ToolUse(name="open_document", input={"passage": Document.objects.get(title="Sejf").pk + 1000})),
        ENOUGH,
    ]
    steps, _ = research(server, fees)
    assert [step.status for step in steps if step.kind == "document"] == ["done", "failed", "failed"]


def test_nothing_the_reader_may_not_see_reaches_the_model(server: MessagesServer, fees: Collection) -> None:
    server.turns[:] = [
        Turn.calls(ToolUse(name="search", input={"query": "hasło do sejfu"})),
        Turn.calls(ToolUse(name="delete_everything", input={})),
        ENOUGH,
    ]
    _, evidence = research(server, fees)
    assert all(SECRET not in str(request.body) for request in server.requests)
    assert all(SECRET not in passage.text for passage in evidence.result.passages)
    assert "There is no tool" in server.requests[-1].prompt


def test_a_model_that_never_stops_is_stopped(server: MessagesServer, fees: Collection) -> None:
    server.turns[:] = [Turn.calls(ToolUse(name="search", input={"query": "opłata"}))]
    steps, evidence = research(server, fees, queries=3)
    assert [step.kind for step in steps].count("rag_search") == 3
    assert evidence.result.passages


def test_a_dead_model_leaves_what_was_found(server: MessagesServer, fees: Collection) -> None:
    server.turns[:] = [Turn(status=500)]
    steps, evidence = research(server, fees)
    assert [step.status for step in steps] == ["done", "failed"]
    assert evidence.result.passages


def test_a_newer_question_ends_it(server: MessagesServer, fees: Collection) -> None:
    research(server, fees, cancelled=lambda: True)
    assert not server.requests
