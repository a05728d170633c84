"""Sentences of a real model as it wrote them, and falsified in a word: whether verification tells them apart.

    python benchmarks/altered_sentences.py [ROWS.jsonl] [--model] [--show]

A row of `altered_sentences.jsonl`, beside this file, is a sentence with its question and what it cites: characters
[start, end) of the document `uri`. `altered` says what was changed (number, date, amount, name, negation, condition),
empty: nothing; every sentence was read beside its source. The documents must be in the installed knowledge base; rows
of others are left out. `--model` also asks the configured language model, as `verification: llm` does.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.models import Document  # noqa: E402
from ingestion.selectors import document_text  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.answering.verification.llm import second_opinions  # noqa: E402
from rag.answering.verification.overlap import CitedSource  # noqa: E402
from rag.answering.verification.support import Checked, check_claim  # noqa: E402
from rag.llm import step_model  # noqa: E402

Row = dict[str, Any]
WRONG = ("contradicted", "not_covered")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, nargs="?", default=Path(__file__).with_suffix(".jsonl"))
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--show", action="store_true", help="the sentences that were misjudged")
    chosen = parser.parse_args()
    rows = [json.loads(line) for line in chosen.rows.read_text(encoding="utf-8").splitlines()]
    told = [(row, sources) for row in rows if (sources := sources_of(row))]
    print(f"sentences: {len(told)} of {len(rows)}; altered: {sum(bool(row['altered']) for row, _ in told)}")
    checked = [check_claim(row["claim"], list(sources.items()), question=row["question"]) for row, sources in told]
    report("rules", [row for row, _ in told], checked, show=chosen.show)
    if chosen.model:
        asked = [with_model(one, row, sources) for one, (row, sources) in zip(checked, told, strict=True)]
        report("rules and the model", [row for row, _ in told], asked, show=chosen.show)


def sources_of(row: Row) -> dict[int, CitedSource]:
    """What the row cites, by number; nothing where one of the documents is not there."""
    found = {}
    for cited in row["sources"]:
        document = Document.objects.readable().filter(uri=cited["uri"]).first()
        extraction = document_text(document) if document else None
        if extraction is None:
            return {}
        found[cited["number"]] = CitedSource(extraction.text[cited["start"] : cited["end"]], cited["about"])
    return found


def with_model(one: Checked, row: Row, sources: Mapping[int, CitedSource]) -> Checked:
    llm = rag_settings().llm
    model = step_model(llm, "verification")
    if model is None:
        sys.exit("No language model is configured.")
    (judged,), _usage = second_opinions(
        [one], sources, question=row["question"], llm=model, language="pl", timeout=llm.step_seconds
    )
    return judged


def report(name: str, rows: Sequence[Row], checked: Sequence[Checked], *, show: bool) -> None:
    flagged = [one.claim.verdict in WRONG for one in checked]
    hits = Counter(row["altered"] for row, flag in zip(rows, flagged, strict=True) if flag)
    of = Counter(row["altered"] for row in rows)
    alarms, altered = hits.pop("", 0), len(rows) - of.pop("", 0)
    right = sum(hits.values())
    print(f"{name}: precision {right}/{right + alarms}, recall {right}/{altered}")
    print("  " + ", ".join(f"{kind} {hits[kind]}/{count}" for kind, count in of.most_common()))
    for row, one, flag in zip(rows, checked, flagged, strict=True):
        if show and flag != bool(row["altered"]):
            print(f"  {one.claim.verdict}, {row['altered'] or 'as written'}: {row['claim']}")


if __name__ == "__main__":
    main()
