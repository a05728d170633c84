"""How much of the labelled texts is found: figures that must not fall. Skipped where the shared texts are not."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ingestion.library.personal_data.detection import find_personal_data

LEAST = {"person": 0.88, "address": 0.94, "account": 0.95, "phone": 0.94, "pesel": 0.96}


def test_half_of_the_characters_of_most_labelled_places_are_found(shared_data: Path) -> None:
    labelled = shared_data / "personal_data" / "dev.jsonl"
    if not labelled.exists():
        pytest.skip("the labelled texts are not shared here")
    said: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for line in labelled.read_text().splitlines()[::4]:
        row = json.loads(line)
        covered = {place for span in find_personal_data(row["text"]) for place in range(span.start, span.end)}
        for span in row["spans"]:
            said[span["kind"]] += 1
            places = range(span["start"], span["end"])
            found[span["kind"]] += 2 * len(covered.intersection(places)) >= len(places)
    recall = {kind: found[kind] / said[kind] for kind in LEAST}
    assert {kind: share for kind, share in recall.items() if share < LEAST[kind] - 0.03} == {}
