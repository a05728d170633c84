"""Weighs the words of questions (`rag/answering/judgement/usual_words.txt`): `python benchmarks/usual_words.py`.

A weight is the logarithm of how many times likelier a question to an organisation has the word than a question about
something else altogether, by Naive Bayes. The first are those of `benchmarks/institutions`, near misses too; the others
are the far ones there and `far.jsonl`. One occurrence is added, shared as questions are, so what nobody asked weighs
nothing. Questions in English, and its small words in others, are left out: more far ones are in it.
"""

import json
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.text.analyser import analyser  # noqa: E402
from ingestion.text.morphology.stop_words import ENGLISH, POLISH  # noqa: E402
from rag.answering.judgement.usual_words import SHIPPED  # noqa: E402
from rag.understanding.language import question_language  # noqa: E402

INSTITUTIONS = Path(__file__).parent / "institutions"
LEAST = 0.3  # nats
RAREST = 2  # questions to organisations with a word that none about something else has
HEADER = "# A word by its lemma and what it weighs, in nats. By benchmarks/usual_words.py; do not edit.\n"


def main() -> None:
    counts = {True: Counter[str](), False: Counter[str]()}
    questions = Counter[bool]()
    for far, question in asked():
        questions[far] += 1
        lemmas = {lemma for _, lemma in analyser().words(question) if lemma.isalpha()}
        counts[far].update(lemmas - (ENGLISH - POLISH))
    total = questions.total()

    def rate(word: str, far: bool) -> float:
        return (counts[far][word] + questions[far] / total) / questions[far]

    words = [word for word, count in counts[False].items() if count >= RAREST or word in counts[True]]
    weights = {word: math.log(rate(word, False) / rate(word, True)) for word in {*words, *counts[True]}}
    lines = (f"{word}\t{weight:.1f}\n" for word, weight in sorted(weights.items()) if abs(weight) >= LEAST)
    SHIPPED.write_text(HEADER + "".join(lines), encoding="utf-8")
    print(f"{questions[False]} questions to organisations, {questions[True]} others")


def asked() -> Iterator[tuple[bool, str]]:
    """Each question, and whether it is a far one."""
    for file in (INSTITUTIONS / "far.jsonl", *sorted(INSTITUTIONS.glob("*/pytania.jsonl"))):
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if question_language(row["q"]) == "pl":
                yield row["k"] == "far", row["q"]


if __name__ == "__main__":
    main()
