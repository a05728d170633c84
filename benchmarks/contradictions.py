"""Draws the contradictions that readers are shown, to be read and judged by hand; counts what was judged.

    python benchmarks/contradictions.py QUESTIONS.jsonl... [--wide] [--collection SLUG]... [--pairs PAIRS.jsonl]

Asks each question (the member `question`, or `text` of a BEIR set's queries.jsonl) as an operator of the installed
knowledge base with the preset `offline`. Every pair of statements that an answer points out goes to PAIRS once; one
that stands there keeps its `true`, which the reader of the file sets to true or false. `--wide` compares the 20 best
passages of a search with each other, also where their sentences share no word with the question: many more pairs, and
harder ones. For pairs that do contradict each other index `fixtures/sprzecznosci` (`manage.py index`), whose three
documents differ from the sample on some thirty points and only seem to on as many.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.selectors import operator  # noqa: E402
from rag.answering.verification.contradictions import find_contradictions  # noqa: E402
from rag.answering.verification.overlap import source  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402
from rag.services.search import search_passages  # noqa: E402
from rag.types import Contradiction, Filters  # noqa: E402

WIDE = 20
Pair = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--collection", action="append", default=[])
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--pairs", type=Path, default=Path("contradictions-read.jsonl"))
    chosen = parser.parse_args()
    missing = [path for path in chosen.questions if not path.is_file()]
    if missing:
        sys.exit(f"not there: {', '.join(map(str, missing))}")
    judged = {key(pair): pair["true"] for pair in read(chosen.pairs)}
    filters = Filters(collections=tuple(chosen.collection))
    drawn = {key(pair): pair for path in chosen.questions for pair in pairs(path, filters, wide=chosen.wide)}
    rows = [pair | {"true": judged.get(name)} for name, pair in drawn.items()]
    chosen.pairs.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    true = sum(row["true"] is True for row in rows)
    print(f"pairs shown: {len(rows)}; judged true {true}, false {sum(row['true'] is False for row in rows)}")


def read(path: Path) -> list[Pair]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def key(pair: Pair) -> tuple[str, ...]:
    return tuple(sorted(f"{one['title']}: {one['quote']}" for one in (pair["first"], pair["second"])))


def pairs(path: Path, filters: Filters, *, wide: bool) -> Iterator[Pair]:
    for row in read(path):
        question = row.get("question") or row["text"]
        for found in (searched if wide else answered)(question, filters):
            sides = {
                name: {"title": one.title, "quote": one.quote, "value": one.value}
                for name, one in (("first", found.first), ("second", found.second))
            }
            yield {"question": question, "kind": found.kind, **sides}


def answered(question: str, filters: Filters) -> Sequence[Contradiction]:
    answer = answer_question(question, viewer=operator(), preset="offline", filters=filters, save=False, cached=False)
    return answer.verification.contradictions


def searched(question: str, filters: Filters) -> Sequence[Contradiction]:
    passages = search_passages(
        query=question, viewer=operator(), preset="offline", filters=filters, top_k=WIDE
    ).passages
    return find_contradictions([(passage, source(passage)) for passage in passages])


if __name__ == "__main__":
    main()
