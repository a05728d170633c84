"""Claims and passages written for the purpose: what the rules make of them. docs/verification.md has the table."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ingestion.text.analyser import analyser
from rag.answering.verification.overlap import CitedSource
from rag.answering.verification.support import check_claim

ROWS = [json.loads(line) for line in Path(__file__).with_name("claims.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def verdicts():
    return [
        (row, check_claim(f"{row['claim']} [1]", [(1, CitedSource(row["passage"], row["title"]))]).claim)
        for row in ROWS
    ]


@pytest.mark.parametrize("half", [1, 2])
def test_each_half_of_the_set_can_tell_good_rules_from_bad(half):
    """One that calls every claim by one name, or looks at the passage of another claim, is right in few."""
    rows = [row for row in ROWS if row["half"] == half and row["decidable_by_rules"]]
    verdicts = Counter(row["verdict"] for row in rows)
    assert len(rows) >= 60
    assert max(verdicts.values()) <= 0.6 * len(rows), verdicts


def test_the_halves_share_neither_claim_nor_passage_not_even_reworded():
    words = [
        {frozenset(token.lemma for token in analyser().tokens(row["passage"])) for row in ROWS if row["half"] == half}
        for half in (1, 2)
    ]
    alike = [len(one & other) / len(one | other) for one in words[0] for other in words[1]]
    assert max(alike) < 0.5
    assert len({row["claim"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("half", [1, 2])
def test_nine_in_ten_claims_that_rules_can_decide_are_decided_rightly(verdicts, half):
    """The thresholds were chosen on half 1; half 2 was not looked at."""
    right = [
        claim.verdict == row["verdict"] for row, claim in verdicts if row["decidable_by_rules"] and row["half"] == half
    ]
    assert sum(right) / len(right) >= 0.9


def test_hardly_a_claim_that_holds_is_called_contradicted(verdicts):
    alarms = [
        claim.text for row, claim in verdicts if row["verdict"] == "supported" and claim.verdict == "contradicted"
    ]
    assert len(alarms) <= 0.02 * len(ROWS), alarms


def test_the_problem_names_what_differs(verdicts):
    found = Counter(
        row["problem"] in {problem.kind for problem in claim.problems}
        for row, claim in verdicts
        if row["problem"] and row["verdict"] == claim.verdict
    )
    assert found[True] >= 0.9 * found.total()


def test_a_problem_shows_both_values():
    source = CitedSource("Reklamację rozpatruje się w terminie 30 dni.", "Regulamin")
    claim = check_claim("Reklamację rozpatruje się w ciągu 14 dni [1].", [(1, source)]).claim
    assert claim.verdict == "contradicted"
    assert [(problem.kind, problem.said, problem.found) for problem in claim.problems] == [
        ("number", "14 dni", "30 dni")
    ]


def test_two_sources_may_bear_out_a_claim_together():
    sources = [
        (1, CitedSource("Wniosek o urlop składa się w systemie kadrowym.", "Kadry")),
        (2, CitedSource("Urlop wynosi 26 dni.", "Kadry")),
    ]
    checked = check_claim("Urlop wynosi 26 dni, wniosek składa się w systemie [1][2].", sources)
    assert checked.claim.verdict == "supported"


@pytest.mark.parametrize(
    ("claim", "borne_out"),
    [
        ("Razem: 40 zł + 25 zł = 65 zł [1]", True),
        ("Razem: 40 zł + 25 zł = 66 zł [1]", False),
        ("Razem: 40 zł + 35 zł = 75 zł [1]", False),
    ],
)
def test_a_sum_of_what_the_source_says_is_borne_out(claim: str, borne_out: bool) -> None:
    source = CitedSource("| Usługa | Opłata |\n| --- | --- |\n| karta | 40 zł |\n| duplikat | 25 zł |", "Opłaty")
    assert (check_claim(claim, [(1, source)]).claim.verdict == "supported") is borne_out


FEES = """Za ślub w plenerze pobiera się opłatę. Nie pobiera się jej od chorych.

| Czas podróży | Należna dieta |
| --- | --- |
| krócej niż 8 godzin | nie przysługuje |
| od 8 do 12 godzin | 22,50 zł |
"""


@pytest.mark.parametrize(
    ("claim", "borne_out"),
    [
        ("Za ślub w plenerze pobiera się opłatę. [1]", True),
        ("Za ślub w plenerze pobiera się opłatę. [1] Nie pobiera się jej od chorych. [1]", True),
        ("Czas podróży: od 8 do 12 godzin; Należna dieta: 22,50 zł [1]", True),
        ("| krócej niż 8 godzin | nie przysługuje [1] |", True),
        ("Czas podróży: krócej niż 8 godzin; Należna dieta: 22,50 zł [1]", False),
    ],
)
def test_a_sentence_or_a_row_word_for_word_is_borne_out(claim: str, borne_out: bool) -> None:
    assert (check_claim(claim, [(1, CitedSource(FEES, "Opłaty"))]).claim.verdict == "supported") is borne_out
