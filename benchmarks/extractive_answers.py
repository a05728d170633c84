"""Answers without a language model: how often the labelled words are in them, against two simpler ways.

    python benchmarks/extractive_answers.py FOLDER [--limit 300] [--half 1]

FOLDER is a BEIR folder with `answers.jsonl`, indexed before (`manage.py evaluate --dataset FOLDER`). The peers get the
same passages: the first sentence of the first passage, and the sentence that scores best by BM25. `--half` asks every
second question: the weights of `rag/answering/synthesis/extractive/scoring.py` were fitted on half 0, so that 1 is
held out.
"""

import argparse
import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from rank_bm25 import BM25Plus  # noqa: E402

from ingestion.models import Collection  # noqa: E402
from ingestion.text.analyser import analyser  # noqa: E402
from ingestion.text.sentences import sentence_spans  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.answering.synthesis.extractive import ExtractiveSynthesizer  # noqa: E402
from rag.evaluation.datasets.dataset_storage import stored_questions  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion  # noqa: E402
from rag.evaluation.retrieval import RetrievalOptions, drawn  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.types import Filters, Passage  # noqa: E402
from rag.understanding.intent import breadth, classify  # noqa: E402

Answering = Callable[[str, Sequence[Passage]], str]
_MARK = re.compile(r"\[\d+\]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--half", type=int, choices=(0, 1))
    chosen = parser.parse_args()
    gold = labelled_spans(chosen.folder)
    dataset = EvaluationDataset.objects.select_related("collection").get(name=chosen.folder.name)
    asked = {identifier for place, identifier in enumerate(gold) if chosen.half in (None, place % 2)}
    stored = [one for one in stored_questions(dataset) if one.id in asked]
    questions = drawn(stored, RetrievalOptions(limit=chosen.limit))
    assert dataset.collection is not None, "index the set first"
    report(list(found(questions, dataset.collection)), gold)


def labelled_spans(folder: Path) -> dict[str, list[str]]:
    """Question -> the words of which one must be in the answer."""
    rows = map(json.loads, (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines())
    return {
        row["id"]: [one["text"] for one in row.get("answers", ())] or [row.get("legal_basis_content", "")]
        for row in rows
    }


def found(
    questions: Sequence[LabelledQuestion], collection: Collection
) -> Iterator[tuple[LabelledQuestion, Sequence[Passage]]]:
    """The passages that the offline preset would answer from."""
    settings = rag_settings()
    retriever = HybridRetriever(preset=preset("offline"), lexical=settings.lexical, llm=settings.llm)
    for question in questions:
        intent = classify(question.question).intent
        wide = breadth(intent)
        result = retriever.retrieve(
            question.question, collections=[collection], filters=Filters(), top_k=wide.limit, intent=intent
        )
        near = [passage for passage in result.passages if passage.relevance >= wide.threshold]
        yield question, near or result.passages


def report(asked: Sequence[tuple[LabelledQuestion, Sequence[Passage]]], gold: dict[str, list[str]]) -> None:
    print(f"{len(asked)} questions")
    for name, answering in {"extractive": extractive, "best BM25 sentence": bm25_sentence, "lead": lead}.items():
        counts: defaultdict[str, int] = defaultdict(int)
        started = time.process_time()
        answers = [(question, answering(question.question, passages)) for question, passages in asked]
        milliseconds = (time.process_time() - started) * 1000 / max(1, len(asked))
        for question, text in answers:
            parts = {
                "answer": text,
                "first paragraph": text.partition("\n\n")[0],
                "first sentence": _MARK.split(text)[0],
            }
            for part, words in parts.items():
                counts[part] += any(plain(span) in plain(words) for span in gold[question.id])
            counts["characters"] += len(text)
        figures = (f"{part} {counts[part]} ({counts[part] / len(asked):.1%})" for part in parts)
        print(
            f"{name:<20}", ", ".join(figures), f"{counts['characters'] // len(asked)} characters, {milliseconds:.1f} ms"
        )


def extractive(question: str, passages: Sequence[Passage]) -> str:
    draft = ExtractiveSynthesizer().synthesize(question, passages, language="pl")
    return "".join(part for part in draft if isinstance(part, str))


def bm25_sentence(question: str, passages: Sequence[Passage]) -> str:
    texts = [passage.text[start:end] for passage in passages for start, end in sentence_spans(passage.text)]
    if not texts:
        return ""
    scores = BM25Plus([lemmas(text) or [""] for text in texts]).get_scores(lemmas(question))
    return texts[int(scores.argmax())]


def lead(question: str, passages: Sequence[Passage]) -> str:
    return next((p.text[start:end] for p in passages[:1] for start, end in sentence_spans(p.text)), "")


def lemmas(text: str) -> list[str]:
    return [lemma for _, lemma in analyser().words(text)]


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", _MARK.sub(" ", text).lower()))


if __name__ == "__main__":
    main()
