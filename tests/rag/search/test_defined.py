"""Where it is asked what a thing is, the passage that says so comes first."""

import pytest

from ingestion.models import Collection
from tests.conftest import AddDocument
from tests.rag.search.conftest import Search

NAMES = "Do wozowni wchodzi się od podwórza; klucz do wozowni ma dozorca, a wozownię zamyka się o 20."
DEFINES = "Zabudowania dworu stoją w parku. Wozownia to budynek, w którym trzymano powozy, sanie i uprząż dla koni."


@pytest.fixture(autouse=True)
def documents(public: Collection, index: AddDocument) -> None:
    index(public, NAMES, name="porzadek.txt", title="Klucze")
    index(public, DEFINES, name="dwor.txt", title="Dwór i jego zabudowania")


def test_the_passage_that_defines_goes_before_the_one_that_names_it_more_often(searching: Search) -> None:
    assert searching("kto ma klucz do wozowni").passages[0].title == "Klucze"

    first, _ = searching("co to jest wozownia").passages
    assert first.title == "Dwór i jego zabudowania"
    assert [boost.name for boost in first.explanation.boosts] == ["defined"]


def test_other_rerankers_are_left_alone(searching: Search) -> None:
    passages = searching("co to jest wozownia", reranker="none").passages
    assert not [boost for passage in passages for boost in passage.explanation.boosts if boost.name == "defined"]
