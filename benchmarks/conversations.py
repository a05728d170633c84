"""Conversations of several turns, asked as people ask them: what was searched for each turn, what came, what is right.

    python benchmarks/conversations.py FILE.jsonl ... [--preset balanced] [--workers 20] [--out ROWS.jsonl]

A line of a file is {"id", "turns": [{"question", "expected_answer", "expected_answer_contains"}, ...]}; points of a
right answer are written as in labelled questions. Every turn is asked by an operator in a conversation that is kept, as
the chat page keeps it: use a knowledge base of your own. The share of right answers is that of the turns after the
first. With a preset that asks a model set ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for another server.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
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
from rag.evaluation.answers.correctness import correctness  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion  # noqa: E402
from rag.models import Conversation  # noqa: E402
from rag.services.ask import ask, drain  # noqa: E402
from rag.services.ask_request import AskRequest  # noqa: E402

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--preset", default="balanced")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    talks = [json.loads(line) for file in chosen.files for line in file.read_text(encoding="utf-8").splitlines()]
    with ThreadPoolExecutor(chosen.workers) as threads, (chosen.out or Path(os.devnull)).open("w") as out:
        rows: list[Row] = []
        for told in threads.map(partial(talk, preset=chosen.preset), talks):
            rows += told
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in told)
            out.flush()
            print("\n".join(map(_in_words, told)), flush=True)
    later = [row for row in rows if row["turn"] > 1]
    print(f"right after the first turn: {sum(row['right'] for row in later)} of {len(later)}")


@borrowed_connections()
def talk(conversation: Mapping[str, Any], *, preset: str) -> list[Row]:
    return list(_turns(conversation, preset))


def _turns(conversation: Mapping[str, Any], preset: str) -> Iterator[Row]:
    kept: Conversation | None = None
    for number, turn in enumerate(conversation["turns"], start=1):
        wanted = LabelledQuestion.model_validate({"id": f"{conversation['id']}-{number}", **turn})
        request = AskRequest(
            question=wanted.question, viewer=operator(), preset=preset, conversation=kept, cached=False
        )
        ending = drain(ask(request))
        answer = ending.answer()
        kept = kept or (Conversation.objects.get(pk=ending.saved.conversation_id) if ending.saved else None)
        yield {
            "id": wanted.id,
            "turn": number,
            "question": wanted.question,
            "searched": answer.searched,
            "wanted": wanted.expected_answer,
            "outcome": answer.outcome,
            "got": answer.text,
            "right": answer.outcome == "answered" and correctness(wanted, answer.text) == 1.0,
        }


def _in_words(row: Row) -> str:
    searched = f" [{row['searched']}]" if row["searched"] else ""
    return f"{'right' if row['right'] else 'WRONG'} {row['id']} {row['question']}{searched}\n    {row['got']}"


if __name__ == "__main__":
    main()
