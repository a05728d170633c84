"""Everyday questions asked of the whole knowledge base, as an operator: what is right, refused, certain without reason.

    python manage.py load_sample && python manage.py index FOLDER --collection NAME      # the documents asked about
    python benchmarks/everyday_questions.py FILE.jsonl ... [--preset balanced] [--workers 8] [--reliability]

A file is as `manage.py evaluate` reads it, or has {"question", "answerable", "documents": [ends of URIs],
"contains": [[any of these], …], "kind"} a line; nothing is stored. Several files are counted together; FILE@COLLECTION
asks that collection alone. `--reliability`
prints how many of the answers are right by kind and confidence, as docs/benchmarks.md has it. With a preset that asks a
model set ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for another server than the default one.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.utils import translation  # noqa: E402

from ingestion.models import Collection  # noqa: E402
from ingestion.selectors import operator  # noqa: E402
from knowledgetree.postgres.connections import borrowed_connections  # noqa: E402
from rag.evaluation.answers import JudgedAnswer, judge_answers  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion, read_questions  # noqa: E402
from rag.evaluation.everyday.outcomes import EverydayQuestion, everyday_questions  # noqa: E402
from rag.evaluation.everyday.report import EverydayReport  # noqa: E402
from rag.management.commands._everyday_output import everyday_lines  # noqa: E402

LIMITS = (0.3, 0.5, 0.7, 1.01)
"""Upper ends of the confidences that a row of the reliability table tells apart."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE[@COLLECTION]")
    parser.add_argument("--preset", default="offline")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--limit", type=int, help="so many questions of each file")
    parser.add_argument("--reliability", action="store_true", help="right of answered, by kind and confidence")
    chosen = parser.parse_args()
    asked = [pair for file in chosen.files for pair in questions_of(file, chosen.limit)]
    with ThreadPoolExecutor(chosen.workers) as threads:
        found = threads.map(partial(judge, preset=chosen.preset), *zip(*asked, strict=True))
        judged = [one for some in found for one in some]
    report = EverydayReport(asked=tuple(everyday_questions(judged).values()))
    with translation.override("en"):
        print("\n".join(everyday_lines(report)))
        if chosen.reliability:
            print("\n".join(reliability_lines(report)))


def questions_of(file: str, limit: int | None) -> Iterator[tuple[LabelledQuestion, Collection | None]]:
    path, _, slug = file.partition("@")
    collection = Collection.objects.get(slug=slug) if slug else None
    return ((question, collection) for question in list(read_questions(Path(path)))[:limit])


@borrowed_connections()
def judge(question: LabelledQuestion, collection: Collection | None, *, preset: str) -> Sequence[JudgedAnswer]:
    return judge_answers([question], viewer=operator(), preset=preset, collection=collection).judged


def reliability_lines(report: EverydayReport) -> Iterator[str]:
    """A table of Markdown: right of answered, by kind and by confidence."""
    lows = (0.0, *LIMITS[:-1])
    ranges = [f"{low:.1f}–{min(high, 1):.1f}" for low, high in zip(lows, LIMITS, strict=True)]
    yield "| kind | " + " | ".join(ranges) + " | all |"
    yield "|---|" + "---:|" * (len(LIMITS) + 1)
    for kind, part in {**report.kinds, "all": report}.items():
        cells = [_right_of(part.answered, low, high) for low, high in zip(lows, LIMITS, strict=True)]
        yield f"| {kind} | " + " | ".join([*cells, _right_of(part.answered, 0, LIMITS[-1])]) + " |"


def _right_of(answered: Sequence[EverydayQuestion], low: float, high: float) -> str:
    among = [question for question in answered if low <= question.confidence < high]
    return f"{sum(question.right for question in among)} of {len(among)}" if among else "–"


if __name__ == "__main__":
    main()
