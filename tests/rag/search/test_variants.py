"""A search by other wordings of its question, with a language model that speaks the real protocol."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.models import Collection
from rag.llm.prompts import render
from rag.search.reasons import exact_reasons
from rag.services.ask import answer_question
from rag.services.search import search_passages
from rag.types import SearchResult, Tokens, TraceEntry
from tests.conftest import AddDocument, index_text, make_public
from tests.ingestion.embedding.models import build_model
from tests.kept import Kept
from tests.messages_server import MessagesServer, Request, Turn

QUESTION = "Kiedy można zjeść obiad?"
SUNRISE = "Zorza jest czynna w pawilonie przy bramie."


def write_library() -> None:
    public = make_public()
    index_text(public, "Obiad można zjeść w przerwie, która trwa kwadrans.", name="przerwa.txt", title="Przerwa")
    index_text(public, SUNRISE, name="zorza.txt", title="Zorza")
    index_text(public, "Faktury opłaca się w ciągu trzydziestu dni.", name="faktury.txt", title="Faktury")


@pytest.fixture(scope="module")
def kept_library(kept_rows: Kept) -> None:
    kept_rows.make(write_library)


@pytest.fixture
def library(kept_library: None, db: None) -> None:
    """What `write_library` wrote."""


@pytest.fixture
def server(settings: Any) -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        llm = {"api_key": "klucz", "base_url": server.url, "fast_model": "szybki", "transformation_seconds": 1.0}
        settings.RAG = {**settings.RAG, "llm": llm, "presets": presets("multi_query")}
        yield server


def presets(*names: str, **parts: Any) -> Mapping[str, Any]:
    return {"wordy": {"transformations": names, **parts}}


def find(query: str = QUESTION, preset: str = "wordy") -> SearchResult:
    return search_passages(query=query, viewer=AnonymousUser(), preset=preset)


def wordings(*texts: str) -> Turn:
    return Turn.structured({"wordings": texts})


def titles(result: SearchResult) -> list[str]:
    return [passage.title for passage in result.passages]


def noted(result: SearchResult, stage: str) -> TraceEntry:
    (entry,) = [entry for entry in result.trace if entry.stage == stage]
    return entry


@pytest.mark.usefixtures("library")
class TestSearching:
    def test_a_wording_finds_what_the_question_does_not(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("godziny otwarcia Zorzy")]
        assert "Zorza" not in titles(find(preset="offline"))
        assert "Zorza" in titles(find())

    def test_what_the_question_itself_finds_stays_first(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("w Zorzy", "Zorza jest czynna", "zorza")]
        assert titles(find())[0] == "Przerwa"

    def test_a_passage_names_the_wordings_that_found_it(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("Zorza przy bramie", "przerwa")]
        by_title = {passage.title: passage.explanation for passage in find().passages}
        assert by_title["Zorza"].variants == ("Zorza przy bramie",)
        assert by_title["Przerwa"].variants == ("przerwa",)
        assert by_title["Zorza"].lexical_rank is None
        assert by_title["Przerwa"].lexical_rank == 1
        assert any("Zorza przy bramie" in sentence for sentence in exact_reasons(by_title["Zorza"]))

    def test_a_wording_is_repaired_like_a_question(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("zorza")]
        result = find()
        assert "Zorza" in titles(result)
        assert result.corrections == ()  # the reader typed nothing wrong

    def test_what_the_reader_excludes_no_wording_brings_back(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("czynna Zorza")]
        assert "Zorza" not in titles(find("Kiedy można zjeść obiad -zorza"))

    def test_a_wording_reaches_no_collection_that_is_hidden(
        self, server: MessagesServer, internal: Collection, index: AddDocument
    ) -> None:
        index(internal, "Narada zarządu o Zorzy.", name="narada.txt", title="Narada")
        server.turns[:] = [wordings("narada zarządu")]
        assert "Narada" not in titles(find())

    def test_the_model_sees_the_question_and_nothing_of_the_documents(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("zorza")]
        find()
        (request,) = server.requests
        assert request.body["model"] == "szybki"
        assert request.body["messages"][0]["content"] == render("question", "pl", question=QUESTION)

    def test_its_cost_is_counted_by_step(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("zorza")]
        assert find().usage == {"multi_query": Tokens(input=100, output=20)}

    def test_an_answer_counts_the_wordings_with_its_own_tokens(self, server: MessagesServer) -> None:
        server.choose = lambda request: wordings("zorza") if "output_config" in request.body else Turn()
        answer = answer_question(QUESTION, viewer=AnonymousUser(), preset="wordy", save=False)
        alone = answer_question(QUESTION, viewer=AnonymousUser(), preset="offline", save=False)
        assert answer.metrics.tokens == alone.metrics.tokens + Tokens(input=100, output=20)


@pytest.mark.usefixtures("library")
class TestBudget:
    def test_six_queries_at_most_each_transformation_in_turn(self, server: MessagesServer, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "presets": presets("multi_query", "decomposition")}
        parts = [{"question": f"Część {n}?"} for n in range(4)]
        server.choose = by_task(multi_query=wordings("a", "b", "c"), decomposition={"questions": parts})
        result = find()
        assert "3" in noted(result, "multi_query").reason
        assert "2" in noted(result, "decomposition").reason
        assert len({text for passage in result.passages for text in passage.explanation.variants}) <= 5

    def test_a_sub_question_that_waits_for_an_answer_is_not_searched(
        self, server: MessagesServer, settings: Any
    ) -> None:
        settings.RAG = {**settings.RAG, "presets": presets("decomposition")}
        parts = [{"question": "Kto opłaca faktury?"}, {"question": "Kiedy czynna jest Zorza?", "depends_on": [1]}]
        server.turns[:] = [Turn.structured({"questions": parts})]
        found = titles(find())
        assert "Faktury" in found
        assert "Zorza" not in found

    def test_a_slow_model_costs_the_deadline_and_no_more(self, server: MessagesServer) -> None:
        server.turns[:] = [wordings("zorza")]
        find("rozgrzewka")
        server.turns[:] = [replace(wordings("zorza"), wait=60.0)]
        before = server.finished
        result = find()
        assert server.finished == before
        assert titles(result)[0] == "Przerwa"
        assert not noted(result, "multi_query").applied


@pytest.mark.usefixtures("library")
class TestWithoutHelp:
    def test_without_a_key_the_trace_says_so(self, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "presets": presets("multi_query", "hyde", "decomposition")}
        result = find()
        entry = noted(result, "transformation")
        assert not entry.applied
        assert "model" in entry.reason
        assert titles(result) == titles(find(preset="offline"))

    @pytest.mark.parametrize("turn", [Turn(status=500), Turn(status=401), Turn(pieces=("nie",)), wordings()])
    def test_a_failing_model_leaves_the_search_as_it_was(self, server: MessagesServer, turn: Turn) -> None:
        server.turns[:] = [turn]
        result = find()
        assert not noted(result, "multi_query").applied
        assert titles(result) == titles(find(preset="offline"))

    def test_a_preset_without_transformations_asks_no_model(self, server: MessagesServer) -> None:
        assert "transformation" not in {entry.stage for entry in find(preset="offline").trace}
        assert not server.requests

    def test_vectors_of_letters_are_not_searched_by_an_imagined_passage(
        self, server: MessagesServer, settings: Any
    ) -> None:
        settings.RAG = {**settings.RAG, "presets": presets("hyde")}
        entry = noted(find(), "hyde")
        assert not entry.applied
        assert entry.reason
        assert not server.requests


@pytest.mark.slow
class TestImaginedPassages:
    @pytest.fixture
    def neural(self, server: MessagesServer, settings: Any, tmp_path: Path) -> None:
        model = {
            "backend": "ingestion.embedding.sentence_transformer.SentenceTransformerEmbedder",
            "options": {"model": str(build_model(tmp_path)), "query_prefix": "pytanie: "},
        }
        components = {**settings.RAG["components"], "embedders": {"tiny": model}}
        settings.RAG = {
            **settings.RAG,
            "embedder": "tiny",
            "components": components,
            "presets": presets("hyde", dense_limit=1),
        }

    @pytest.fixture
    def library(self, neural: None, db: None) -> None:
        """Indexed by this model."""
        write_library()

    @pytest.mark.usefixtures("library")
    def test_the_passage_is_compared_as_a_passage(self, server: MessagesServer) -> None:
        server.turns[:] = [Turn.structured({"passage": SUNRISE})]
        result = find("xyz")
        found = {passage.title: passage.explanation.variants for passage in result.passages}
        assert noted(result, "hyde").applied
        assert [title for title, variants in found.items() if variants] == [nearest_to(SUNRISE)]


def nearest_to(text: str) -> str:
    """The document whose vector is nearest to that of the bare text, embedded as a passage."""
    from ingestion.models import ChunkEmbedding, EmbeddingSpace
    from ingestion.selectors import embedder_of

    vector = embedder_of(EmbeddingSpace.objects.get()).embed_passages([text])[0]
    rows = ChunkEmbedding.objects.select_related("chunk__document")
    return max(
        rows, key=lambda row: float(sum(a * b for a, b in zip(row.embedding, vector, strict=True)))
    ).chunk.document.title


def by_task(**replies: Any) -> Any:
    def choose(request: Request) -> Turn:
        for name, reply in replies.items():
            if request.body["system"].startswith(render(name, "pl")):
                return reply if isinstance(reply, Turn) else Turn.structured(reply)
        raise AssertionError(request.body["system"])

    return choose
