"""Everyday questions asked of the whole knowledge base: what is right, what is refused, and what is neither.

    python manage.py load_sample && python manage.py index FOLDER --collection NAME      # the documents asked about
    python benchmarks/everyday_questions.py FILE.jsonl ... [--preset balanced] [--workers 8] [--limit 20]

A line of a file: {"question", "answerable", "documents": [ends of URIs], "contains": [[any of these], …]}. "right":
answered, with a text of each group. "nearest": not certain, a wanted document first. With a preset that asks a model
set ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for another server than the default one.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.selectors import operator  # noqa: E402
from knowledgetree.postgres.connections import borrowed_connections  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402
from rag.types import Answer  # noqa: E402

Row = Mapping[str, Any]
SURE = 0.7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--preset", default="offline")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--limit", type=int, help="so many questions of each file")
    chosen = parser.parse_args()
    rows = [row for file in chosen.files for row in questions(file)[: chosen.limit]]
    with ThreadPoolExecutor(chosen.workers) as threads:
        kinds = list(threads.map(partial(kind_of_answer, preset=chosen.preset), rows))
    for answerable in (True, False):
        counted = Counter(kind for row, kind in zip(rows, kinds, strict=True) if row["answerable"] is answerable)
        print(f"{'answerable' if answerable else 'unanswerable'}: {counted.total()}")
        for kind, count in counted.most_common():
            print(f"  {kind:<22}{count:>5}{count / counted.total():>8.1%}")


def questions(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


@borrowed_connections()
def kind_of_answer(row: Row, *, preset: str) -> str:
    answer = answer_question(row["question"], viewer=operator(), preset=preset, save=False, cached=False)
    if answer.outcome == "not_certain":
        return "not certain, nearest" if wanted(row, answer) else "not certain"
    if answer.outcome != "answered":
        return "refused"
    if row["answerable"] and is_right(row, answer):
        return "right"
    return "wrong, sure" if answer.confidence >= SURE else "wrong"


def wanted(row: Row, answer: Answer) -> bool:
    """Whether the first passage is of a document that answers."""
    return any(answer.passages[0].uri.endswith(name) for name in row["documents"])


def is_right(row: Row, answer: Answer) -> bool:
    text = answer.text.casefold()
    return all(any(one.casefold() in text for one in group) for group in row["contains"])


if __name__ == "__main__":
    main()
