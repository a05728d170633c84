"""Pairs of sources that differ, and pairs that only look so."""

import json
from pathlib import Path

import pytest

from rag.verification.contradictions import find_contradictions
from rag.verification.overlap import source
from rag.verification.sentence import Sentence

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("contradictions.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture
def differ(passage, analyser):
    def between(*texts, question="", **fields):
        passages = [
            passage(text["text"], number=n, title=text["title"], **fields) for n, text in enumerate(texts, start=1)
        ]
        asked = Sentence(question, analyser) if question else None
        return find_contradictions([(one, source(one, analyser)) for one in passages], question=asked)

    return between


@pytest.mark.parametrize("half", [1, 2])
def test_what_is_pointed_out_is_mostly_true_and_most_is_found(differ, half):
    """Half 2 was not looked at. Wikipedia, where nothing should be found, is in docs/verification.md."""
    rows = [row for row in ROWS if row["half"] == half]
    found = [(row["contradict"], bool(differ(row["first"], row["second"]))) for row in rows]
    true = found.count((True, True))
    assert true / (true + found.count((False, True))) >= 0.85
    assert true / (true + found.count((True, False))) >= 0.8


def test_the_set_is_large_enough_to_tell():
    assert len(ROWS) >= 40
    assert 0.4 < sum(row["contradict"] for row in ROWS) / len(ROWS) < 0.6


FIRST = {"title": "Regulamin", "text": "Reklamację rozpatrujemy do 14 dni."}
SECOND = {"title": "FAQ", "text": "Reklamację rozpatrujemy do 30 dni."}


def test_both_sides_are_quoted_with_their_values(differ):
    (found,) = differ(FIRST, SECOND)
    assert (found.kind, found.first.value, found.second.value) == ("number", "do 14 dni", "do 30 dni")
    assert (found.first.title, found.second.quote) == ("Regulamin", SECOND["text"])
    assert found.subject == "Reklamację rozpatrujemy"


def test_a_document_does_not_contradict_itself(differ):
    assert differ(FIRST, SECOND, document_id=7, uri="x") == ()


def test_only_what_the_question_is_about_is_compared(differ):
    assert differ(FIRST, SECOND, question="Ile trwa reklamacja?")
    assert differ(FIRST, SECOND, question="Kto wystawia faktury zaliczkowe?") == ()
