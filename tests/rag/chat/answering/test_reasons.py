"""Why a source was chosen, in the reader's words."""

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from rag.chat.answering.reasons import Why, why_found, why_quoted
from rag.types import Boost, Explanation, Passage, WordMatch

EVERYTHING = Explanation(
    similarity=0.714,
    dense_rank=3,
    sentence=2,
    lexical_score=12.346,
    lexical_rank=1,
    words=(WordMatch(typed="urlopu", lemma="urlop", forms=("urlopie", "urlopy", "wakacje"), contribution=3.21),),
    coverage=0.8,
    graph_score=0.1,
    graph_rank=4,
    graph_path=("Jan Kowalski", "Biuro Obsługi"),
    variants=("Ile trwa wypoczynek?",),
    fusion_method="weighted",
    fusion_score=0.8123,
    reranker="features",
    reranker_score=0.91,
    boosts=(Boost(name="recency", value=0.05, reason="Nowszy dokument"),),
    alike=(7, 8),
    neighbours=(9,),
)


def passage(explanation: Explanation, *, origin: str = "document") -> Passage:
    return Passage(
        chunk_id=1,
        document_id=1,
        collection="k",
        title="T",
        uri="a.md",
        media_type="text/markdown",
        text="abc",
        start=0,
        end=3,
        line_start=1,
        line_end=1,
        relevance=0.874,
        origin="web" if origin == "web" else "document",
        explanation=explanation,
    )


@pytest.fixture
def why() -> Why:
    return why_found(passage(EVERYTHING))


def test_every_stage_that_took_part_says_something(why: Why) -> None:
    said = " ".join(reason.text for reason in why.reasons)
    for part in ("80", "1", "3", "2", "Jan Kowalski → Biuro Obsługi", "Ile trwa wypoczynek?", "Nowszy dokument", "87"):
        assert part in said
    assert len(why.reasons) == 11


def test_a_stage_that_did_not_take_part_is_not_mentioned() -> None:
    why = why_found(passage(Explanation(lexical_rank=2, lexical_score=1.0)))
    assert len(why.reasons) == 2  # its rank by words, and the chance


def test_figures_have_the_decimal_sign_of_the_language(why: Why) -> None:
    figures = " ".join(reason.figure for reason in why.reasons)
    for figure in ("12,35", "0,71", "0,812", "0,91", "+0,05"):
        assert figure in figures
    with translation.override("en"):
        assert "12.35" in " ".join(reason.figure for reason in why_found(passage(EVERYTHING)).reasons)


def test_a_synonym_is_told_from_an_inflection(why: Why) -> None:
    (word,) = why.words
    assert (word.typed, word.lemma) == ("urlopu", "urlop")
    assert word.forms == ("urlopie", "urlopy")
    assert word.related == ("wakacje",)
    assert word.points == "3,2"


def test_a_page_of_the_web_was_not_ranked() -> None:
    assert not why_found(passage(Explanation(), origin="web"))


def test_a_stored_quote_still_says_which_words_it_has() -> None:
    why = why_quoted("Ile dni urlopu przysługuje?", "Wymiar urlopów wynosi 26 dni.")
    assert {word.typed: word.forms for word in why.words} == {"dni": ("dni",), "urlopu": ("urlopów",)}
    assert why.reasons == ()


def test_the_card_says_it_all_and_escapes_it(why: Why) -> None:
    html = render_to_string("chat/_explanation.html", {"why": why})
    assert "urlopie, urlopy" in html
    assert all(reason.text in html for reason in why.reasons)
    boost = Boost(name="x", value=0.1, reason="<b>")
    shown = why_found(passage(Explanation(boosts=(boost,))))
    assert "&lt;b&gt;" in render_to_string("chat/_explanation.html", {"why": shown})
