"""The Python interface as docs/python.md describes it."""

import re
from pathlib import Path

import pytest

from ingestion.models import Collection
from knowledgetree.errors import KnowledgeTreeError
from tests.conftest import AddDocument

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


def run_examples() -> None:
    """Every example of the page, one after the other."""
    for example in re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.S):
        exec(compile(example, str(PAGE), "exec"), {})


def test_the_example_finds_and_answers(db: None, index: AddDocument, capsys: pytest.CaptureFixture[str]) -> None:
    kadry = Collection.objects.create(name="Kadry", slug="kadry", visibility="restricted")
    index(kadry, "# Urlopy\n\nPracownikowi przysługuje 20 dni urlopu wypoczynkowego.\n", name="urlopy.md")
    run_examples()
    said = capsys.readouterr().out
    assert "Urlopy" in said
    assert "answered" in said
    assert "[1]" in said


def test_what_cannot_be_asked_says_what_to_do(db: None) -> None:
    with pytest.raises(KnowledgeTreeError) as raised:
        run_examples()
    assert raised.value.code == "invalid_filter"
    assert raised.value.message
