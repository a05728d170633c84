"""Questions with a time in them, over acts of an office in two and three wordings: is the right wording cited, and is a
wrong one ever cited without a word?

    VAR_DIR=/tmp/benchmark python benchmarks/as_of.py --half strojenie --wrong

The wordings come in one after another, as an office brings them, and are indexed by the same job. `--beside` searches
among the sample too. With `--moved FILE...` questions of other sets are read by the rules alone: how many would leave
today.
"""

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.contrib.auth.models import AnonymousUser  # noqa: E402
from django.utils import timezone, translation  # noqa: E402

from ingestion.jobs import run_job  # noqa: E402
from ingestion.models import Collection, Document  # noqa: E402
from ingestion.services.documents import add_document  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402
from rag.types import Answer, Filters  # noqa: E402
from rag.understanding.asked_time import asked_time  # noqa: E402

ROOT = Path(__file__).parents[1]
ACTS, QUESTIONS = ROOT / "fixtures/wersje/akty.jsonl", ROOT / "fixtures/wersje/pytania.jsonl"
SLUG = "wersje"
_CHOICE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`cited` is the wording of the first citation, "" where there is none; `said`: that a time other than today is
    meant, or may be, is said beside it.
    """

    right: bool
    cited: str
    said: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=["strojenie", "proba"])
    parser.add_argument("--wrong", action="store_true", help="name the questions that were answered wrong")
    parser.add_argument("--beside", action="store_true", help="search all collections, not the acts alone")
    parser.add_argument("--moved", type=Path, nargs="*", default=[])
    arguments = parser.parse_args()
    translation.activate("pl")
    for path in arguments.moved:
        count_moved(path)
    acts = {act["name"]: act for act in lines(ACTS)}
    index(acts.values())
    outcomes: dict[str, list[Outcome]] = defaultdict(list)
    for question in lines(QUESTIONS):
        if arguments.half in (None, question["part"]):
            outcome = asked(question, acts[question["document"]], everywhere=arguments.beside)
            for group in (question["kind"], "all"):
                outcomes[group].append(outcome)
            if arguments.wrong and not outcome.right:
                print(f"  {question['question']}  {outcome.cited!r}{' (said)' if outcome.said else ''}")
    for group, its in outcomes.items():
        right = sum(one.right for one in its)
        print(f"{group:12} {right:3} of {len(its):3} right ({right / len(its):.2f}), "
              f"{sum(not one.right and bool(one.cited) for one in its)} wrong cited, "
              f"{sum(not one.right and bool(one.cited) and not one.said for one in its)} without a word")  # fmt: skip


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def wording(text: str, number: int) -> str:
    """The text with what stands in braces as it was in wording `number`, counted from 0."""
    return _CHOICE.sub(lambda choice: choice[1].split("|")[number], text)


def index(acts: Iterable[dict[str, Any]]) -> None:
    collection, is_new = Collection.objects.get_or_create(
        slug=SLUG, defaults={"name": "Akty w kilku brzmieniach", "visibility": Collection.Visibility.PUBLIC}
    )
    for act in acts if is_new else ():
        for number, day in enumerate(act["valid_from"]):
            content = wording(act["text"], number).encode()
            fields: dict[str, Any] = {"title": act["title"], "valid_from": date.fromisoformat(day)}
            document = add_document(
                collection=collection, name=f"{act['name']}.md", content=content, enqueue=False, **fields
            )
            for job in document.jobs.filter(status="queued"):
                run_job(str(job.pk))


def asked(question: dict[str, Any], act: dict[str, Any], *, everywhere: bool) -> Outcome:
    filters = Filters() if everywhere else Filters(collections=(SLUG,))
    answer = answer_question(question["question"], viewer=AnonymousUser(), filters=filters, save=False, cached=False)
    cited = cited_wording(answer)
    expected = f"{act['name']}.md {act['valid_from'][question['version'] - 1]}"
    right = cited == expected and question["contains"] in answer.text
    said = any(notice.code.startswith("as_of") for notice in answer.notices)
    return Outcome(
        right=right, cited=cited, said=said or (bool(answer.citations) and "w mocy" in answer.citations[0].title)
    )


def cited_wording(answer: Answer) -> str:
    if not answer.citations or answer.outcome == "not_found":
        return ""
    document = Document.of_all_times.get(pk=answer.citations[0].document_id)
    return f"{document.uri} {document.valid_from}"


def count_moved(path: Path) -> None:
    """Questions of a set without times: which of them the rules take for one with a time."""
    questions = [str(line.get("question") or line.get("text")) for line in lines(path)]
    moved = [one for one in questions if asked_time(one, today=timezone.localdate())]
    print(f"{path.name}: {len(moved)} of {len(questions)} name a time")
    for one in moved:
        print(f"  {one}")


if __name__ == "__main__":
    main()
