"""Who decides whether the passages answer: a model that reads them, or, without one, a judge of what rules wrote."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from rag.events import AnswerDelta, Completed, DraftRevised, Retrieved
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from rag.types import Answer
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.messages_server import MessagesServer, Turn

BINS = "# Odpady\n\n## Uszkodzony pojemnik\n\nUszkodzony pojemnik wymienia się w ciągu 7 dni roboczych.\n"
LEAVE = "# Urlopy\n\nUrlopu udziela kierownik na wniosek.\n\nPracownikowi przysługuje 26 dni urlopu.\n"
SLANG = "Bzyk mi padł, kiedy kierownik go ogarnie?"
"""One word of it stands in LEAVE, none in BINS, which answers it."""


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> None:
    with kept_rows.writing():
        public = make_public()
        index_text(public, BINS, name="odpady.md", title="Odpady")
        index_text(public, LEAVE, name="urlopy.md", title="Urlopy")


@pytest.fixture(autouse=True)
def documents(kept_documents: None, db: None) -> None:
    """What `kept_documents` wrote."""


@pytest.fixture
def server(settings: Any) -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        model = {"api_key": "klucz", "base_url": server.url, "max_retries": 0, "native_citations": False}
        critical = {"synthesizer": "compact", "research": "planned", "critique": True}
        settings.RAG = {**settings.RAG, "llm": model, "presets": {"critical": critical}}
        yield server


def asked(question: str, **options: Any) -> Answer:
    return answer_question(question, viewer=AnonymousUser(), save=False, cached=False, **options)


def worded(*texts: str) -> Turn:
    return Turn(pieces=(json.dumps({"wordings": texts}),))


class TestWithAModel:
    def test_weak_passages_reach_it_and_its_answer_counts(self, server: MessagesServer) -> None:
        server.turns[:] = [worded(), Turn(pieces=("Kierownik udziela urlopu [1].",))]
        answer = asked(SLANG)
        assert max(passage.relevance for passage in answer.passages) < 0.3
        assert "Urlopu udziela kierownik" in server.requests[-1].prompt
        assert (answer.outcome, answer.synthesizer) == ("answered", "compact")

    def test_its_refusal_decides(self, server: MessagesServer) -> None:
        server.turns[:] = [worded(), Turn(pieces=("NIE_ZNALEZIONO",))]
        answer = asked(SLANG)
        assert answer.outcome == "not_found"
        assert answer.citations == ()

    def test_a_weak_search_is_made_again_in_its_words_each_alone(self, server: MessagesServer) -> None:
        """The reranker would put what other words have found behind what shares a word with the question."""
        words = "Kiedy wymienia się uszkodzony pojemnik?"
        server.turns[:] = [worded(words), Turn(pieces=("W ciągu 7 dni roboczych [1].",))]
        answer = asked(SLANG)
        assert "7 dni roboczych" in server.requests[-1].prompt
        assert {passage.title for passage in answer.passages} == {"Odpady", "Urlopy"}
        assert any(words in step.queries for step in answer.steps)
        assert answer.metrics.corrected
        assert answer.metrics.usage["multi_query"].total

    def test_a_search_that_looked_good_is_made_in_other_words_after_a_refusal(self, server: MessagesServer) -> None:
        words = "Kiedy wymienia się uszkodzony pojemnik?"
        refused, written = Turn(pieces=("NIE_ZNALEZIONO",)), Turn(pieces=("W ciągu 7 dni roboczych [1].",))
        server.turns[:] = [refused, worded(words), written]
        answer = asked("Kto udziela urlopu?")
        assert "7 dni roboczych" not in server.requests[0].prompt
        assert "7 dni roboczych" in server.requests[-1].prompt
        assert answer.outcome == "answered"
        assert answer.metrics.usage["withdrawn"].total
        assert any(words in step.queries for step in answer.steps)

    def test_a_refusal_after_other_words_stands(self, server: MessagesServer) -> None:
        refused = Turn(pieces=("NIE_ZNALEZIONO",))
        server.turns[:] = [worded("Kiedy wymienia się uszkodzony pojemnik?"), refused]
        assert asked(SLANG).outcome == "not_found"
        assert len(server.requests) == 2

    def test_nothing_is_written_twice_from_the_same_passages(self, server: MessagesServer) -> None:
        server.turns[:] = [Turn(pieces=("NIE_ZNALEZIONO",)), worded("Kto udziela urlopów?")]
        assert asked("Kto udziela urlopu?").outcome == "not_found"
        assert len(server.requests) == 2

    def test_what_a_critic_misses_is_searched_as_it_stands(self, server: MessagesServer) -> None:
        enough = Turn.structured({"enough": True})
        critic = Turn.structured({"good": False, "missing": ["ogarnianie rozwalonych kubłów"]})
        draft, better = Turn(pieces=("Kierownik [1].",)), Turn(pieces=("Urlopu udziela kierownik na wniosek [1].",))
        server.turns[:] = [enough, draft, critic, better]
        answer = asked("Kto udziela urlopu?", preset="critical")
        assert answer.text.startswith("Urlopu udziela kierownik")
        assert answer.steps[-1].kind == "verification"
        assert sum("ogarnianie rozwalonych kubłów" in step.queries for step in answer.steps) == 2  # wanted, searched
        assert len(server.requests) == 4

    def test_a_draft_stands_where_the_model_refuses_after_what_a_critic_missed(self, server: MessagesServer) -> None:
        enough, refused = Turn.structured({"enough": True}), Turn(pieces=("NIE_ZNALEZIONO",))
        critic = Turn.structured({"good": False, "missing": ["stawka za pojemnik"]})
        server.turns[:] = [enough, Turn(pieces=("Urlopu udziela kierownik [1].",)), critic, refused]
        request = AskRequest(question="Kto udziela urlopu?", viewer=AnonymousUser(), preset="critical", save=False)
        stream = list(ask(request))
        answer = next(event.answer for event in stream if isinstance(event, Completed))
        last = max(number for number, event in enumerate(stream) if isinstance(event, DraftRevised))
        assert (answer.outcome, answer.text) == ("answered", "Urlopu udziela kierownik [1].")
        assert "".join(event.text for event in stream[last:] if isinstance(event, AnswerDelta)) == answer.text
        assert [citation.number for citation in answer.citations] == [1]
        assert answer.metrics.usage["withdrawn"].total

    def test_it_is_not_asked_where_nothing_at_all_was_found(self, server: MessagesServer) -> None:
        server.turns[:] = [worded()]
        assert asked("Xyzzy qwrtp?", parts={}).outcome == "not_found"
        assert all("<sources>" not in request.prompt for request in server.requests)

    def test_passages_that_the_asker_does_not_want_to_count_do_not_reach_it(self, server: MessagesServer) -> None:
        server.turns[:] = [worded()]
        answer = asked(SLANG, min_relevance=0.9)
        assert answer.outcome == "not_found"
        assert all("<sources>" not in request.prompt for request in server.requests)

    def test_what_is_cited_from_the_section_around_a_passage_says_why_it_is_there(self, server: MessagesServer) -> None:
        server.turns[:] = [Turn(pieces=("Urlopu udziela kierownik [1].",))]
        stream = list(ask(AskRequest(question="Kto udziela urlopu?", viewer=AnonymousUser(), save=False, cached=False)))
        answer = next(event.answer for event in stream if isinstance(event, Completed))
        places = {place.chunk_id for passage in answer.passages for place in passage.places}
        assert {citation.chunk_id for citation in answer.citations} <= places
        assert [event for event in stream if isinstance(event, Retrieved)][-1].passages == answer.passages


class TestWithoutAModel:
    def test_what_shares_nothing_is_not_found(self) -> None:
        assert asked("Jak karmić kanarka zimą?").outcome == "not_found"

    def test_a_good_search_is_an_answer(self) -> None:
        assert asked("Ile dni urlopu przysługuje pracownikowi?").outcome == "answered"
