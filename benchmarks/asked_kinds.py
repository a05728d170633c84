"""What questions ask for: how often the kind is recognised, found where the answer is, and found elsewhere.

    python benchmarks/asked_kinds.py FILE.jsonl ... [--missed]

A line has {"question", "answerable", "kind", "evidence": the sentence that answers}; `kind` is one of those below,
others are not judged. `elsewhere`, the last column, is the share of the other questions' evidence that has such a
thing too: what finding it tells nothing about. Nothing is searched or stored. `--missed` prints what was not recognised
or found.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from rag.understanding.expected import expected  # noqa: E402

TIMES = {"day", "date", "hour", "duration"}
AMOUNTS = {"money", "number", "percentage", "duration"}
RIGHT: dict[str, set[str]] = {
    "when": TIMES,
    "how_much": AMOUNTS,
    "how_many": AMOUNTS,
    "who": {"person", "agent"},
    "where": {"place", "room", "phone", "email", "web"},
    "why": {"reason"},
    "error": {"reason", "steps", "list", *TIMES},
    "yes_no": {"yes_or_no"},
    "compare": {"comparison"},
    "definition": {"definition", "code"},
    "list": {"list", "document"},
    "procedure": {"steps", "document", "code", "agent", "web"},
}
"""The kinds that are right for each label of a question."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--missed", action="store_true")
    chosen = parser.parse_args()
    lines = [json.loads(line) for file in chosen.files for line in file.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in lines if row["answerable"] and row["kind"] in RIGHT]
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in RIGHT}
    for row in rows:
        seen = judged(row, rows)
        counts[row["kind"]].update(seen)
        if chosen.missed and (not seen["recognised"] or seen["asked"] > seen["found"]):
            print(expected(row["question"]).kinds, row["question"], "|", row["evidence"][:100])
    for kind, count in counts.items():
        print(line_of(kind, count))
    print(line_of("all", sum(counts.values(), Counter())))


def judged(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> Counter[str]:
    """Counts of one question: `asked` is 1 where a thing is asked for, which may then be `found`."""
    what = expected(row["question"])
    seen = Counter(questions=1, recognised=bool(set(what.kinds) & RIGHT[row["kind"]]))
    if what.wanted:
        others = [other["evidence"] for other in rows if other is not row]
        seen.update(asked=1, found=what.has_answer(row["evidence"]))
        seen.update(others=len(others), elsewhere=sum(map(what.has_answer, others)))
    return seen


def line_of(kind: str, count: Counter[str]) -> str:
    elsewhere = count["elsewhere"] / max(1, count["others"])
    return (
        f"| {kind} | {count['recognised']} of {count['questions']} | {count['found']} of {count['asked']} "
        f"| {elsewhere:.2f} |"
    )


if __name__ == "__main__":
    main()
