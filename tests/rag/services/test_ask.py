"""The journey of a question, without and with a language model that speaks the real protocol."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.models import Extraction
from rag.events import AnswerDelta, CitationAdded, Completed, Failed, Noticed, Retrieved, Saved, Started, StepChanged
from rag.models import Exchange
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.messages_server import MessagesServer, Turn

TEXT = """# Urlopy

Urlopu udziela kierownik na wniosek.

Pracownikowi z dziesięcioletnim stażem przysługuje 26 dni urlopu wypoczynkowego.

Niewykorzystany urlop trzeba wykorzystać do 30 września.
"""


@pytest.fixture(scope="module")
def kept_leave_rules(kept_rows: Kept) -> None:
    with kept_rows.writing():
        index_text(make_public(), TEXT, name="urlopy.md", title="Regulamin urlopów")


@pytest.fixture(autouse=True)
def leave_rules(kept_leave_rules: None, db: None) -> None:
    """What `kept_leave_rules` wrote."""


def events(question: str, **options: Any) -> list[Any]:
    return list(ask(AskRequest(question=question, viewer=AnonymousUser(), **options)))


def test_events_come_in_order_and_are_kept() -> None:
    stream = events("Ile dni urlopu przysługuje po dziesięciu latach stażu?", session_key="s")
    kinds = [type(event) for event in stream]
    assert kinds[0] == Started
    assert kinds[-2:] == [Completed, Saved]
    assert set(kinds[1:-2]) == {StepChanged, Retrieved, AnswerDelta, CitationAdded}
    assert kinds.index(Retrieved) < kinds.index(AnswerDelta)
    steps = [event.step for event in stream if isinstance(event, StepChanged) and event.step.status == "done"]
    assert [step.kind for step in steps][:2] == ["analysis", "rag_search"]
    assert stream[-2].answer.steps == tuple(steps)
    exchange = Exchange.objects.get(pk=stream[-1].exchange_id)
    assert "26 dni" in exchange.answer
    assert exchange.citations.count() == len(stream[-2].answer.citations)


def test_every_citation_quotes_the_document_exactly() -> None:
    answer = answer_question("Ile dni urlopu przysługuje?", viewer=AnonymousUser(), save=False)
    text = Extraction.objects.get().text
    assert answer.citations
    for citation in answer.citations:
        assert text[citation.start : citation.end] == citation.quote
        assert text.count("\n", 0, citation.start) + 1 == citation.line_start
        assert f"[{citation.number}]" in answer.text
        assert citation.url.startswith("/documents/")


def test_nothing_relevant_is_said_without_a_citation() -> None:
    answer = answer_question("Jak karmić kanarka zimą?", viewer=AnonymousUser(), save=False)
    assert answer.outcome == "not_found"
    assert answer.text == "Nie znaleziono w źródłach."
    assert answer.citations == ()


def test_an_english_question_is_refused_in_english() -> None:
    answer = answer_question("How should I feed a canary in the winter?", viewer=AnonymousUser(), save=False)
    assert answer.text == "Not found in the sources."


def test_an_empty_question_fails_with_a_remedy() -> None:
    _started, failed = events("  ")
    assert isinstance(failed, Failed)
    assert failed.code == "invalid_question"
    assert failed.remedy


def test_passages_alone_can_be_asked_for() -> None:
    completed = events("urlop", synthesize=False, save=False)[-1]
    assert completed.answer.outcome == "passages_only"
    assert completed.answer.passages


def test_an_abandoned_question_leaves_no_trace() -> None:
    stream = ask(AskRequest(question="Ile dni urlopu?", viewer=AnonymousUser()))
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert not Exchange.objects.exists()


class TestWithALanguageModel:
    @pytest.fixture
    def server(self, settings: Any) -> Iterator[MessagesServer]:
        with MessagesServer() as server:
            settings.RAG = {
                **settings.RAG,
                "llm": {"api_key": "klucz", "base_url": server.url, "max_retries": 0, "timeout": 5.0},
            }
            yield server

    def test_the_model_answers_and_its_sources_are_cited(self, server: MessagesServer) -> None:
        server.turns[:] = [Turn(pieces=("Przysługuje ", "26 dni", " urlopu [", "1]."))]
        answer = answer_question("Ile dni urlopu przysługuje?", viewer=AnonymousUser(), save=False)
        assert answer.text == "Przysługuje 26 dni urlopu [1]."
        assert "26 dni" in answer.citations[0].quote
        assert answer.synthesizer == "compact"
        assert answer.metrics.tokens.output > 0

    def test_a_dead_model_leaves_the_reader_with_cited_sentences(self, server: MessagesServer) -> None:
        server.turns[:] = [Turn(status=500)]
        stream = events("Ile dni urlopu przysługuje?", save=False)
        answer = stream[-1].answer
        assert any(isinstance(event, Noticed) for event in stream)
        assert answer.notices
        assert answer.synthesizer == "extractive"
        assert "26 dni" in answer.text
