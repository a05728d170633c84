"""Passages that have the kind of thing asked for are lifted a little."""

import pytest

from ingestion.models import Collection
from rag.search.boosts.asked_thing import LIFT
from tests.conftest import AddDocument
from tests.rag.search.conftest import Search

RULES = "Opłata za psa jest coroczna. Opłata za psa, podana w zł, zasila w całości schronisko dla psów w tym mieście."
PRICES = "Opłata za psa jest coroczna. Opłata za psa wynosi 80 zł i zasila schronisko dla psów w tym mieście."


@pytest.fixture(autouse=True)
def documents(public: Collection, index: AddDocument) -> None:
    index(public, RULES, name="zasady.txt", title="Pies w mieście")
    index(public, PRICES, name="stawki.txt", title="Pies w gminie")


def lifts(searching: Search, question: str) -> dict[str, float]:
    return {
        passage.title: boost.value
        for passage in searching(question).passages
        for boost in passage.explanation.boosts
        if boost.name == "asked_thing"
    }


def test_the_passage_with_an_amount_is_lifted_for_who_asks_how_much(searching: Search) -> None:
    lifted = lifts(searching, "ile kosztuje opłata za psa")

    assert set(lifted) == {"Pies w gminie"}
    assert 0 < lifted["Pies w gminie"] <= LIFT
    assert searching("ile kosztuje opłata za psa").passages[0].title == "Pies w gminie"


def test_who_asks_for_no_thing_gets_no_lift(searching: Search) -> None:
    assert lifts(searching, "Dlaczego opłata za psa jest coroczna?") == {}


def test_a_reranker_whose_scores_mean_something_else_is_left_alone(searching: Search) -> None:
    passages = searching("ile kosztuje opłata za psa", reranker="none").passages
    assert not any(boost.name == "asked_thing" for passage in passages for boost in passage.explanation.boosts)


DATA = """```json
"psy": {
  "oplata": "opłata za psa w schronisku",
  "psy": "opłata za psa",
  "schronisko": "opłata za psa"
}
```
"""


@pytest.mark.parametrize(("question", "first"), [("Po co opłata za psa?", "zasady.txt"), ("kod opłata za psa", "")])
def test_text_goes_before_data_unless_that_is_asked_for(
    question: str, first: str, public: Collection, index: AddDocument, searching: Search
) -> None:
    index(public, DATA, name="dane.md", title="Opłata za psa")
    lifted = [
        passage.uri
        for passage in searching(question).passages
        if any(boost.name == "plain_text" for boost in passage.explanation.boosts)
    ]
    assert (first in lifted) is bool(first)
    assert not any(uri.endswith("dane.md") for uri in lifted)
