"""Where a month's budget is used up nobody asks a model, and the reader is told."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from rag.events import AnswerDelta, Completed, Noticed
from rag.llm.spending.ledger import Use, add_to_ledger
from rag.models import Assistant, MonthlyBudget, MonthlySpending
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from rag.services.search import search_passages
from rag.types import Tokens
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.messages_server import MessagesServer, Turn

QUESTION = "Ile dni urlopu przysługuje po dziesięciu latach stażu?"
MODEL = "claude-haiku-4-5"


@pytest.fixture(scope="module")
def kept_leave_rules(kept_rows: Kept) -> None:
    text = "Pracownikowi z dziesięcioletnim stażem przysługuje 26 dni urlopu wypoczynkowego."
    with kept_rows.writing():
        index_text(make_public(), text, name="urlopy.md", title="Regulamin urlopów")


@pytest.fixture(autouse=True)
def leave_rules(kept_leave_rules: None, db: None) -> None:
    """What `kept_leave_rules` wrote."""


@pytest.fixture
def server(settings: Any) -> Iterator[MessagesServer]:
    with MessagesServer(Turn(pieces=("Przysługuje ", "26 dni", " urlopu [1]."))) as server:
        llm = {"api_key": "klucz", "base_url": server.url, "model": MODEL, "fast_model": MODEL, "max_retries": 0}
        # Every answer is one request: nothing is corrected, and so no other wording asked for.
        presets = {"krotki": {"synthesizer": "compact", "correction": False}}
        settings.RAG = {**settings.RAG, "llm": llm, "presets": presets, "preset": "krotki"}
        yield server


@pytest.fixture
def helper() -> Assistant:
    return Assistant.objects.create(name="Pomocnik", slug="pomocnik")


def use_up(budget: MonthlyBudget, assistant: Assistant | None = None) -> None:
    tokens = Tokens(input=int(float(budget.dollars or 0) * 1_000_000))
    add_to_ledger([Use(assistant=assistant.pk if assistant else 0, model=MODEL, tokens=tokens)])


def test_an_answer_is_written_into_the_months_row_of_its_assistant(server: MessagesServer, helper: Assistant) -> None:
    answer = answer_question(QUESTION, viewer=AnonymousUser(), assistant="pomocnik", save=False)
    row = MonthlySpending.objects.get()
    assert (row.assistant, row.model, row.requests) == (helper.pk, MODEL, len(server.requests))
    assert row.input == answer.metrics.tokens.input
    assert float(row.cost) == pytest.approx(answer.metrics.cost) != 0
    assert answer.metrics.unpriced == ()


def test_a_model_without_a_price_is_named(server: MessagesServer, settings: Any) -> None:
    settings.RAG = {**settings.RAG, "llm": {**settings.RAG["llm"], "model": "nasz-bielik"}}
    metrics = answer_question(QUESTION, viewer=AnonymousUser(), save=False).metrics
    assert (metrics.cost, metrics.unpriced) == (0, ("nasz-bielik",))
    assert MonthlySpending.objects.get().unpriced == metrics.tokens.total


def test_a_budget_that_is_used_up_leaves_the_reader_with_cited_sentences_and_a_notice(
    server: MessagesServer, helper: Assistant
) -> None:
    use_up(MonthlyBudget.objects.create(assistant=helper, dollars=1), helper)
    events = list(ask(AskRequest(question=QUESTION, viewer=AnonymousUser(), assistant="pomocnik", save=False)))
    assert server.requests == []
    answer = events[-1].answer  # type: ignore[union-attr]
    assert "26 dni" in answer.text
    assert answer.citations
    assert [notice.code for notice in answer.notices] == ["over_budget"]
    assert [event.notice.code for event in events if isinstance(event, Noticed)] == ["over_budget"]
    assert all(step.status != "failed" for step in answer.steps)
    assert not answer_question(QUESTION, viewer=AnonymousUser(), save=False).notices


def test_what_was_answered_before_is_still_given(server: MessagesServer, helper: Assistant) -> None:
    budget = MonthlyBudget.objects.create(dollars=1)
    first = answer_question(QUESTION, viewer=AnonymousUser(), save=False)
    use_up(budget)
    again = answer_question(QUESTION, viewer=AnonymousUser(), save=False)
    assert again.text == first.text
    assert again.metrics.cache == "answers"
    assert answer_question("Ile dni urlopu?", viewer=AnonymousUser(), save=False).notices


def test_an_answer_without_a_model_is_not_kept_for_when_there_is_one(server: MessagesServer) -> None:
    budget = MonthlyBudget.objects.create(dollars=1)
    use_up(budget)
    assert answer_question(QUESTION, viewer=AnonymousUser(), save=False).synthesizer == "extractive"
    budget.delete()
    assert answer_question(QUESTION, viewer=AnonymousUser(), save=False).synthesizer == "compact"


def test_an_answer_that_is_being_written_is_not_cut(server: MessagesServer) -> None:
    budget = MonthlyBudget.objects.create(dollars=1)
    stream = ask(AskRequest(question=QUESTION, viewer=AnonymousUser(), save=False))
    next(event for event in stream if isinstance(event, AnswerDelta))
    use_up(budget)
    answer = next(event for event in stream if isinstance(event, Completed)).answer
    assert answer.text == "Przysługuje 26 dni urlopu [1]."
    assert answer.notices == ()


def test_a_cancelled_answer_is_paid_for(server: MessagesServer) -> None:
    stream = ask(AskRequest(question=QUESTION, viewer=AnonymousUser(), save=False))
    next(event for event in stream if isinstance(event, AnswerDelta))
    stream.close()  # type: ignore[attr-defined]
    assert MonthlySpending.objects.get().input > 0


def test_a_search_asks_no_model_either(server: MessagesServer, settings: Any) -> None:
    settings.RAG = {**settings.RAG, "presets": {"krotki": {}, "inne": {"transformations": ["multi_query"]}}}
    use_up(MonthlyBudget.objects.create(dollars=1))
    assert search_passages(query=QUESTION, viewer=AnonymousUser(), preset="inne").passages
    assert server.requests == []
