"""A fact of language and a formula have one home: written down twice, they drift apart."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MODULES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for package in ("ingestion", "rag", "knowledgetree")
    for path in (ROOT / package).rglob("*.py")
}


@pytest.mark.parametrize(
    ("fact", "home"),
    [
        ("stycznia lutego", "ingestion/text/calendar.py"),
        ("styczeń luty", "ingestion/text/calendar.py"),
        ("january", "ingestion/text/calendar.py"),
        ("poniedziałek wtorek", "ingestion/text/calendar.py"),
        ("dwanaście trzynaście", "ingestion/text/numerals.py"),
        ("naście|nastu", "ingestion/text/numerals.py"),
        ("aąbcćdeęfgh", "ingestion/text/diacritics.py"),
        ('"c": "ć"', "ingestion/text/diacritics.py"),
        ("CHARACTERS_PER_TOKEN = ", "ingestion/text/token_size.py"),
        ("_RRF_K = ", "rag/search/retrieval/fusion.py"),
        ("jak (?:dlugo|szybko", "rag/understanding/expected/asking.py"),
    ],
)
def test_a_fact_has_one_home(fact: str, home: str) -> None:
    assert [name for name, text in MODULES.items() if fact in text] == [home]


def test_the_idf_of_bm25_is_spelt_out_once() -> None:
    assert [name for name, text in MODULES.items() if "math.log(1 + (" in text] == ["rag/search/retrieval/bm25.py"]
