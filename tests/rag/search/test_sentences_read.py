"""Who waits for an answer gets the passages first in which a sentence answers."""

from typing import Any

import pytest

from ingestion.models import Collection
from knowledgetree.conf import rag_settings
from rag.presets import preset
from rag.search.retriever import HybridRetriever
from rag.types import Filters, SearchResult
from tests.conftest import AddDocument

QUESTION = "Kiedy zabierają stare łóżko?"
RULES = "W izbie mieszczańskiej stoi stare krzesło, kredens i łóżko z drewna bukowego."
ANSWER = "Meble i materace odbiera się sprzed posesji dwa razy w roku, w kwietniu i w październiku, po zgłoszeniu."


@pytest.fixture(autouse=True)
def documents(public: Collection, index: AddDocument) -> None:
    index(public, RULES, name="muzeum.txt", title="Muzeum")
    index(public, ANSWER, name="odpady.txt", title="Odpady wielkogabarytowe")


def found(collection: Collection, *, reads_sentences: bool = True, **parts: Any) -> SearchResult:
    settings = rag_settings()
    retriever = HybridRetriever(
        preset=preset("offline", parts), lexical=settings.lexical, reads_sentences=reads_sentences
    )
    return retriever.retrieve(QUESTION, collections=[collection], filters=Filters(), top_k=5)


def lifts(result: SearchResult) -> list[float]:
    return [
        boost.value
        for passage in result.passages
        for boost in passage.explanation.boosts
        if boost.name == "sentences_read"
    ]


def test_the_passage_that_answers_goes_before_the_one_with_the_words(public: Collection) -> None:
    searched = found(public, reads_sentences=False)
    assert [passage.uri for passage in searched.passages] == ["muzeum.txt", "odpady.txt"]
    assert not lifts(searched)

    read = found(public)
    assert [passage.uri for passage in read.passages] == ["odpady.txt", "muzeum.txt"]
    scores = [passage.score for passage in read.passages]
    assert scores == sorted(scores, reverse=True)


def test_it_says_so_of_what_it_lifted_and_nothing_of_the_least_likely(public: Collection) -> None:
    (lift,) = lifts(found(public))
    assert lift > 0


def test_a_reranker_whose_scores_mean_something_else_is_left_alone(public: Collection) -> None:
    assert not lifts(found(public, reranker="none"))
