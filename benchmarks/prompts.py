"""The steps that ask a language model, each on its own: what it was asked, what came, what the product made of it.

    python benchmarks/prompts.py hyde,critique FILE.jsonl ... [--limit 20] [--workers 20] [--out ROWS.jsonl]

Each step is the product's own code with the model that the settings name for it (ANTHROPIC_API_KEY,
ANTHROPIC_BASE_URL). A file is as `manage.py evaluate` reads it; what is searched is the knowledge base of VAR_DIR, as
an operator, and nothing is stored. The replies are to be read by a person. `community` summarises the groups of
documents of the collection that has most of them, whatever the file; the others take its answerable questions. A draft
is criticised and judged as it stands in the row's "got", else as the expected answer.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.db.models import Count  # noqa: E402

from ingestion.models import Collection  # noqa: E402
from ingestion.selectors import operator  # noqa: E402
from knowledgetree.postgres.connections import borrowed_connections  # noqa: E402
from rag.answering.context import read_around  # noqa: E402
from rag.answering.synthesis.compact import CompactSynthesizer  # noqa: E402
from rag.answering.synthesis.protocol import Synthesizer  # noqa: E402
from rag.answering.synthesis.refine import RefineSynthesizer  # noqa: E402
from rag.answering.synthesis.tree import TreeSynthesizer  # noqa: E402
from rag.answering.verification.critique import critique  # noqa: E402
from rag.evaluation.answers.judge import AnswerJudge  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion  # noqa: E402
from rag.insight.communities.building import PASSAGES  # noqa: E402
from rag.insight.communities.centres import central_chunks, centres_of, labels_of  # noqa: E402
from rag.insight.communities.grouping import groups_of  # noqa: E402
from rag.insight.communities.model_summary import write_summary  # noqa: E402
from rag.insight.communities.topic_words import read_corpus  # noqa: E402
from rag.llm import step_model  # noqa: E402
from rag.llm.configuration import llm_settings  # noqa: E402
from rag.llm.protocol import LanguageModel  # noqa: E402
from rag.search.retrieval.passages import load_passages  # noqa: E402
from rag.services.search import search_passages  # noqa: E402
from rag.types import Answer, Explanation, Passage  # noqa: E402
from rag.understanding.meaning.together import transformations  # noqa: E402

Row = Mapping[str, Any]
READ = 16_000
"""Characters of documents that an answer is written from."""
SMALL = 1500
"""Tokens of sources in one prompt of a synthesizer that has several, so that it needs them."""


class NotedModel:
    """Implements `rag.llm.protocol.LanguageModel` for steps that take text; `exchanges` are prompts with replies."""

    locates = False

    def __init__(self, llm: LanguageModel) -> None:
        self.name = llm.name
        self.exchanges: list[dict[str, Any]] = []
        self._llm = llm

    def structured(self, *, system: str, prompt: str, **options: Any) -> Any:
        value, usage = self._llm.structured(system=system, prompt=prompt, **options)
        self._note(system, prompt, value.model_dump(), usage)
        return value, usage

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> "NotedReply":
        reply = self._llm.stream(system=system, prompt=prompt, max_tokens=max_tokens)
        return NotedReply(reply, note=partial(self._note, system, prompt))

    def _note(self, system: str, prompt: str, reply: Any, usage: Any) -> None:
        tokens = {"in": usage.input, "out": usage.output}
        self.exchanges.append({"system": system[:80], "prompt": prompt, "reply": reply, "tokens": tokens})


class NotedReply:
    """Implements `rag.llm.protocol.Reply`; `note` is told the whole text and what it cost."""

    def __init__(self, reply: Any, *, note: Callable[[Any, Any], None]) -> None:
        self._reply = reply
        self._note = note

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reply, name)

    def __iter__(self) -> Iterator[str]:
        pieces = []
        for piece in self._reply:
            pieces.append(piece)
            yield piece
        self._note("".join(pieces), self._reply.usage)


def ask_transformation(name: str, row: Row, llm: NotedModel) -> Any:
    made = transformations([name], llm)[0].transform(row["question"], timeout=_seconds())
    return [variant.text for variant in made.variants]


def ask_critique(row: Row, llm: NotedModel) -> Any:
    found = critique(row["question"], _draft(row), language="pl", llm=llm, timeout=_seconds())
    return {"draft": _draft(row), "good": found.good, "missing": found.missing}


def ask_judge(row: Row, llm: NotedModel) -> Any:
    known = {name: row[name] for name in LabelledQuestion.model_fields if name in row}
    question = LabelledQuestion.model_validate({**known, "expected_answer": row.get("want") or row.get("answer", "")})
    passages = tuple(_passages(row["question"]))
    answer = Answer(question=row["question"], text=_draft(row), outcome="answered", passages=passages)
    opinion = AnswerJudge(llm, timeout=_seconds()).judge(question, answer)
    return {"answer": _draft(row), "wanted": question.expected_answer, **opinion.scores, "reason": opinion.reason}


def ask_synthesizer(make: Callable[..., Synthesizer], row: Row, llm: NotedModel) -> Any:
    draft = make(llm=llm).synthesize(row["question"], _passages(row["question"]), language="pl")
    for _piece in draft:
        pass
    made = draft.result
    cited = list(dict.fromkeys(citation.uri for citation in made.citations))
    return {"text": made.text, "found": made.found, "removed": made.removed_citations, "cited": cited}


def ask_community(row: Row, llm: NotedModel) -> Any:
    held = write_summary(row["question"], row["passages"], language="pl", llm=llm, timeout=_seconds())
    return [one.text for one in held]


STEPS: Mapping[str, tuple[str, Callable[[Row, NotedModel], Any]]] = {
    **{name: ("expansion", partial(ask_transformation, name)) for name in ("multi_query", "hyde")},
    "decomposition": ("planning", partial(ask_transformation, "decomposition")),
    "critique": ("verification", ask_critique),
    "judge": ("judging", ask_judge),
    "compact": ("answer", partial(ask_synthesizer, partial(CompactSynthesizer, source_tokens=6000))),
    "refine": ("answer", partial(ask_synthesizer, partial(RefineSynthesizer, source_tokens=SMALL))),
    "tree": ("answer", partial(ask_synthesizer, partial(TreeSynthesizer, source_tokens=SMALL, seconds=1500.0))),
    "community": ("summaries", ask_community),
}
"""By name: the step of the settings whose model is asked, and how."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", help=", ".join(STEPS))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--workers", type=int, default=20)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    rows = [json.loads(line) for file in chosen.files for line in file.read_text(encoding="utf-8").splitlines()]
    answerable = [row for row in rows if row["answerable"]]
    asked = [
        (step, row)
        for step in chosen.steps.split(",")
        for row in islice(_groups() if step == "community" else answerable, chosen.limit)
    ]
    with ThreadPoolExecutor(chosen.workers) as threads, (chosen.out or Path(os.devnull)).open("w") as out:
        for came in threads.map(lambda pair: answered(*pair), asked):
            out.write(json.dumps(came, ensure_ascii=False) + "\n")
            out.flush()
            shown = came["made"] if came["made"] is not None else came["failed"]
            print(f"{came['step']}: {came['question']}\n    {json.dumps(shown, ensure_ascii=False)}", flush=True)


@borrowed_connections()
def answered(step: str, row: Row) -> Mapping[str, Any]:
    """The row that is written: the exchanges, and what the product `made` of them or why it `failed`."""
    name, ask = STEPS[step]
    model = step_model(llm_settings(), name)
    if model is None:
        raise SystemExit("There is no language model: set ANTHROPIC_API_KEY.")
    noted, started = NotedModel(model), time.perf_counter()
    made, failed = None, ""
    try:
        made = ask(row, noted)
    except Exception as error:  # a model that fails is a result
        failed = f"{type(error).__name__}: {error}"
    seconds = round(time.perf_counter() - started, 1)
    told = {"step": step, "question": row["question"], "made": made, "failed": failed, "seconds": seconds}
    return {**told, "exchanges": noted.exchanges}


def _draft(row: Row) -> str:
    return str(row.get("got") or row.get("answer") or row["expected_answer"])


def _passages(question: str) -> list[Passage]:
    found = search_passages(query=question, viewer=operator(), preset="offline").passages
    return read_around(found, collections=list(Collection.objects.all()), characters=READ)


def _groups() -> Iterator[Row]:
    """Groups of documents as `build_communities` makes them, the largest first."""
    collection = Collection.objects.annotate(size=Count("documents")).latest("size")
    corpus = read_corpus(collection.pk)
    groups: Sequence[Any] = groups_of(corpus.documents, corpus.together)
    centres = centres_of(corpus, groups)
    for group, centre, label in zip(groups, centres, labels_of(centres, collection.pk), strict=True):
        members = central_chunks(centre, group, collection.pk)
        if len(members) > 1:
            passages, _ = load_passages({one.chunk_id: Explanation() for one in members[:PASSAGES]}, [collection.pk])
            yield {"question": label, "passages": passages}


def _seconds() -> float:
    return llm_settings().step_seconds


if __name__ == "__main__":
    main()
