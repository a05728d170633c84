"""Real acts: citations read by hand, and every article of the codes."""

import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest

from ingestion.text.acts.statutes.units import read_units
from tests.ingestion.chunking.legal_acts import citation_at


@pytest.mark.slow
def test_places_of_real_acts_have_the_citations_read_by_hand(shared_data: Path) -> None:
    acts = {**_codes(shared_data), **_acts(shared_data)}
    units = {}
    wrong = []
    for line in Path(__file__).with_name("legal_places.jsonl").read_text().splitlines():
        place = json.loads(line)
        text = acts[place["act"]]
        assert text.count(place["search"]) == 1, place
        found = units.setdefault(place["act"], read_units(text))
        if (citation := citation_at(found, text.index(place["search"]))) != place["citation"]:
            wrong.append((place, citation))
    assert wrong == []


def test_every_article_of_the_codes_is_found_and_nothing_else(shared_data: Path) -> None:
    for name, text in _codes(shared_data).items():
        written = [line.split(". ")[1] for line in text.split("\n") if line.startswith("Art. ")]
        assert [unit.chain[0][1] for unit in read_units(text) if unit.is_widest] == written, name


def _codes(shared_data: Path) -> dict[str, str]:
    """Codes of law put together from their articles, as they stand in print."""
    codes: dict[str, str] = defaultdict(str)
    for line in (shared_data / "retrieval/prawo/corpus.jsonl").read_text().splitlines():
        article = json.loads(line)
        if article["source"] == "code":
            codes[article["act"]] += f"Art. {article['article']}. {article['text']}\n\n"
    return dict(codes)


def _acts(shared_data: Path) -> dict[str, str]:
    """Acts as one line each, out of an extraction that lost the line breaks."""
    acts: dict[str, list[str]] = defaultdict(list)
    with gzip.open(shared_data / "loadtest/chunks_100k.jsonl.gz", "rt") as file:
        for line in file:
            chunk = json.loads(line)
            if chunk["document"][:4].isdigit():
                acts[chunk["document"]].append(chunk["text"])
    return {name: " ".join(chunks) for name, chunks in acts.items()}
