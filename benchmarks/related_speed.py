"""How long the documents beside an answer ("Zobacz też") take to find, in the knowledge base of this installation.

    python manage.py load_sample && python benchmarks/related_speed.py [--calls 50] [--profile]

Each of the sample's answered questions is asked once, unsaved; what its answer cites is then looked beside, over and
over. The first rounds warm. With `--profile` prints the queries of one call and where the time goes.
"""

import argparse
import cProfile
import os
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.contrib.auth.models import AnonymousUser  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from ingestion.selectors import visible_collections  # noqa: E402
from rag.evaluation.datasets.questions import read_questions  # noqa: E402
from rag.question import Question  # noqa: E402
from rag.search.related.documents import related_documents  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402
from rag.types import Filters  # noqa: E402

QUESTIONS = Path(__file__).parents[1] / "fixtures/urzad/questions.jsonl"
_WARMING = 2  # rounds
_MOST = 3


def calls(limit: int) -> Iterator[Callable[[], object]]:
    viewer = AnonymousUser()
    collections = tuple(visible_collections(viewer))
    answerable = [question for question in read_questions(QUESTIONS) if question.answerable]
    for asked in answerable[:limit]:
        answer = answer_question(asked.question, viewer=viewer, save=False, cached=False)
        if answer.citations:
            question = Question(
                text=asked.question, language="pl", collections=collections, filters=Filters(), top_k=10
            )
            yield partial(related_documents, question, answer.citations, most=_MOST)


def milliseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def profile(call: Callable[[], object]) -> None:
    with CaptureQueriesContext(connection) as queries:
        call()
    for query in queries:
        sys.stdout.write(f"{query['time']} s  {' '.join(query['sql'].split())[:110]}\n")
    profiler = cProfile.Profile()
    for _ in range(_WARMING * 10):
        profiler.runcall(call)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(25)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=50)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    prepared = list(calls(options.calls))
    for _ in range(_WARMING):
        for call in prepared:
            call()
    times = sorted(milliseconds(call) for call in prepared)
    p95 = times[int(0.95 * (len(times) - 1))]
    sys.stdout.write(f"{len(times)} calls: median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms\n")
    if options.profile:
        profile(prepared[0])


if __name__ == "__main__":
    main()
