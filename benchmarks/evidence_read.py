"""Whether the evidence of everyday questions is among what a language model reads: no answer is asked for.

    python manage.py load_sample && python manage.py index FOLDER --collection NAME      # the documents asked about
    python benchmarks/evidence_read.py FILE.jsonl ... [--preset balanced] [--wordings WORDINGS.json] [--research]

A line of a file is {"question", "answerable", "documents": [ends of URIs], "evidence", "evidence2", "kind"}: sentences
or rows copied from the documents. Printed for one search, for one whose weak results are searched again in other words,
and for one that always is: how many questions have all their evidence in the sections that are read, and which have
not. Other words come from the configured model, and are kept in `--wordings` so that a second run asks nothing; without
either they are left out. `--research`: the parts that rules see in a question are searched after the whole, without a
model.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
os.environ.setdefault(
    "ANTHROPIC_API_KEY", "none"
)  # what is read depends on whether a model writes; it is asked nothing

import django

django.setup()

from ingestion.selectors import operator  # noqa: E402
from knowledgetree.conf import RAGSettings, rag_settings  # noqa: E402
from rag.answering.context.section_reader import SectionReader  # noqa: E402
from rag.answering.correction.policy import CorrectedSearch  # noqa: E402
from rag.answering.gathering import Gathering  # noqa: E402
from rag.answering.pipeline.parts import plain_search  # noqa: E402
from rag.answering.research.planned import PlannedResearch  # noqa: E402
from rag.answering.steps import StepLog  # noqa: E402
from rag.answering.synthesis.choice import reading_characters  # noqa: E402
from rag.answering.synthesis.context import pack, render_sources  # noqa: E402
from rag.errors import LLMError  # noqa: E402
from rag.llm import fast_language_model  # noqa: E402
from rag.presets import Preset, preset  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.services.ask_request import AskRequest  # noqa: E402
from rag.services.understanding import background_of, scope_of, understand  # noqa: E402
from rag.understanding.meaning.together import MultiQuery  # noqa: E402
from rag.understanding.meaning.variants import Transformed, Variant  # noqa: E402

Row = Mapping[str, Any]
_ASK_SECONDS = 60.0


class KeptWordings(MultiQuery):
    """Other words for questions: those in `known`, else the model's, which are known then; none where it fails."""

    def __init__(self, known: dict[str, list[str]], *, ask: bool) -> None:
        llm = fast_language_model(rag_settings().llm)
        assert llm is not None
        super().__init__(llm)
        self.known = known
        self._ask = ask

    def key(self, question: str) -> str:
        return f"{super().key(question)}:{len(self.known.get(question, []))}"

    def transform(self, question: str, *, timeout: float) -> Transformed:
        if question not in self.known and self._ask:
            try:
                made = super().transform(question, timeout=_ASK_SECONDS)
                self.known[question] = [variant.text for variant in made.variants]
            except LLMError as error:
                print(question, error, file=sys.stderr)
        texts = self.known.get(question, [])
        return Transformed(variants=tuple(Variant(text=text, origin=self.name) for text in texts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way to find evidence: `name` of the line, and the search without a model's wordings where `words` is None."""

    name: str
    words: KeptWordings | None = None
    always: bool = False
    research: bool = False

    def gathering(self, chosen: Preset, settings: RAGSettings, reading: SectionReader) -> Gathering:
        limits = replace(settings.correction, high=1.1) if self.always else settings.correction
        retriever = HybridRetriever(preset=replace(chosen, transformations=()), lexical=settings.lexical)
        search = CorrectedSearch(
            retriever=retriever,
            settings=limits,
            correct=self.words is not None,
            wording=self.words,
            seconds=_ASK_SECONDS,
        )
        if not self.research:
            return search
        lookup = plain_search(replace(chosen, transformations=()), settings)
        return PlannedResearch(search=search, lookup=lookup, reading=reading, settings=settings.research)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--preset", default="balanced")
    parser.add_argument("--wordings", type=Path)
    parser.add_argument("--research", action="store_true")
    arguments = parser.parse_args()
    rows = [json.loads(line) for file in arguments.files for line in file.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["answerable"] and row.get("evidence")]
    words = _wordings(arguments.wordings)
    for way in _ways(words, research=arguments.research):
        missed = [row for row in rows if not all_read(row, way, preset(arguments.preset))]
        print(f"{way.name}: all evidence read of {len(rows) - len(missed)} of {len(rows)}")
        for row in missed:
            print(f"    {row.get('id', '')} {row['question']}")
    if words is not None and arguments.wordings:
        arguments.wordings.write_text(json.dumps(words.known, ensure_ascii=False, indent=1), encoding="utf-8")


def _wordings(file: Path | None) -> KeptWordings | None:
    known = json.loads(file.read_text(encoding="utf-8")) if file and file.exists() else {}
    asks = os.environ["ANTHROPIC_API_KEY"] != "none"
    return KeptWordings(known, ask=asks) if known or asks else None


def _ways(words: KeptWordings | None, *, research: bool) -> Iterator[Way]:
    yield Way(name="one search")
    if research:
        yield Way(name="and the parts that rules see", research=True)
    if words is not None:
        yield Way(name="other words after a weak search", words=words)
        yield Way(name="other words always", words=words, always=True)


def all_read(row: Row, way: Way, chosen: Preset) -> bool:
    """Whether the sections that a model would read have all the evidence of `row`, but for marks and spaces."""
    settings = rag_settings()
    request = AskRequest(question=row["question"], viewer=operator(), preset=chosen.name, save=False, cached=False)
    scope, steps = scope_of(request), StepLog()
    alone = replace(settings.llm, api_key="")
    question, _ = returned(understand(request, row["question"], scope, background_of(request, scope), steps, alone))
    reading = SectionReader(settings, characters=reading_characters(chosen, settings.llm))
    evidence = returned(way.gathering(chosen, settings, reading).gather(question, steps))
    evidence = returned(reading.read(question, evidence))
    tokens = chosen.source_tokens or settings.llm.source_tokens
    read = plain(render_sources(pack(evidence.read, max_tokens=tokens)))
    return all(plain(text) in read for text in wanted(row))


def wanted(row: Row) -> Sequence[str]:
    return [row[name] for name in ("evidence", "evidence2") if row.get(name)]


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold().replace("<br>", ""))


def returned(work: Generator[Any, None, Any]) -> Any:
    """What a generator of events returns at its end."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


if __name__ == "__main__":
    main()
