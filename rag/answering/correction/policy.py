"""One search and what becomes of it: good enough, worded anew, or widened to the web (corrective RAG, SPEC 5)."""

import logging
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from knowledgetree.conf import CorrectionSettings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.postgres.connections import release_connections
from rag.answering.correction.merging import merged
from rag.answering.correction.refinement import refined
from rag.answering.correction.web_search.configured import WebPassages
from rag.answering.steps import StepLog
from rag.errors import LLMError
from rag.events import Event, Retrieved, StepChanged
from rag.question import Evidence, Question
from rag.search.retriever import HybridRetriever
from rag.types import Passage, Quality, SearchResult
from rag.understanding.meaning.together import transformed
from rag.understanding.meaning.transformation import Transformation
from rag.understanding.meaning.variants import Variant

_AVERAGED = 5


def grade(passages: Sequence[Passage], limits: CorrectionSettings) -> Quality:
    """HIGH where the best passage suffices, MEDIUM where the best five do on average, else LOW."""
    best, average = strength(passages)
    if best > limits.high:
        return "HIGH"
    return "MEDIUM" if average > limits.medium else "LOW"


def strength(passages: Sequence[Passage]) -> tuple[float, float]:
    """The greatest relevance, and the average of the five greatest: searches of one question compare by it."""
    relevances = sorted((passage.relevance for passage in passages), reverse=True)[:_AVERAGED]
    return (relevances[0], sum(relevances) / len(relevances)) if relevances else (0.0, 0.0)


log = logging.getLogger("knowledgetree.ask")


class CorrectedSearch:
    """Implements `rag.answering.gathering.Gathering`.

    Where a model reads what was found, `wording` asks one for the words that documents may use instead, for at most
    `seconds`, after a weak search or when the reading has come to nothing: each is searched alone, and what all
    searches found counts, by its places in them, because relevance goes by the words of a question and only the reading
    tells what answers it. Without one rules word the question anew, and the better of the two searches counts.
    """

    def __init__(
        self,
        *,
        retriever: HybridRetriever,
        settings: CorrectionSettings,
        correct: bool = True,
        wording: Transformation[Any] | None = None,
        seconds: float = 0.0,
        web: WebPassages | None = None,
    ) -> None:
        self._retriever = retriever
        self._settings = settings
        self._correct = correct
        self._wording = wording
        self._seconds = seconds
        self._web = web

    def gather(self, question: Question, steps: StepLog) -> Generator[Event, None, Evidence]:
        """See `Gathering`. A HIGH search stands; else the better of two; after a LOW one the web."""
        found = yield from self._search(question, steps)
        yield Retrieved(passages=found.passages, corrections=found.corrections)
        evidence = Evidence(result=found)
        if found.quality == "HIGH" or not self._correct or not question.synthesize or question.cancelled():
            return evidence
        evidence = yield from self._worded_anew(question, steps, found)
        if evidence.result.quality == "LOW" and question.web and self._web and not question.cancelled():
            evidence = yield from self._from_the_web(question, steps, evidence)
        if evidence.result.passages is not found.passages:
            yield Retrieved(passages=evidence.result.passages, corrections=evidence.result.corrections)
        return evidence

    def reword(self, question: Question, evidence: Evidence, steps: StepLog) -> Generator[Event, None, Evidence]:
        """For a model that has read `evidence` and found no answer in it: with what other words find.

        The same evidence where they were searched already, where no model words anything, or where nothing new is
        found.
        """
        if self._wording is None or not self._correct or evidence.reworded or question.cancelled():
            return evidence
        reason = _("What was found does not answer, so the question is worded anew.")
        wider = yield from self._in_words_of_a_model(self._wording, question, steps, evidence.result, reason)
        if not wider.corrected:
            return evidence
        yield Retrieved(passages=wider.result.passages, corrections=wider.result.corrections)
        return wider

    def _search(
        self, question: Question, steps: StepLog, variants: Sequence[Variant] = ()
    ) -> Generator[Event, None, SearchResult]:
        wordings = [question.text, *(variant.text for variant in variants)]
        begun = steps.begin("rag_search", _anew() if variants else _("Searching the documents."), queries=wordings)
        yield begun
        result = self._retrieved(question, question.text, variants)
        yield _done(steps, begun, result)
        return result

    def _retrieved(self, question: Question, text: str, variants: Sequence[Variant] = ()) -> SearchResult:
        result = self._retriever.retrieve(
            text,
            collections=question.collections,
            filters=question.filters,
            top_k=question.top_k,
            intent=question.analysis.intent,
            variants=variants,
            clearance=question.clearance,
        )
        return replace(result, quality=grade(result.passages, self._settings))

    def _worded_anew(self, question: Question, steps: StepLog, found: SearchResult) -> Generator[Event, None, Evidence]:
        if self._wording is not None:
            return (yield from self._in_words_of_a_model(self._wording, question, steps, found, _anew()))
        variants = refined(question.text, question.analysis, found.passages)
        again = yield from self._search(question, steps, variants)
        if strength(again.passages) <= strength(found.passages):
            return Evidence(result=found)
        return Evidence(result=replace(again, corrections=found.corrections), corrected=True)

    def _in_words_of_a_model(
        self, wording: Transformation[Any], question: Question, steps: StepLog, found: SearchResult, reason: str
    ) -> Generator[Event, None, Evidence]:
        begun = steps.begin("rag_search", reason, queries=[question.text])
        yield begun
        release_connections()
        worded = transformed(question.text, [wording], seconds=self._seconds)[wording.name]
        if isinstance(worded, LLMError):
            yield steps.end(begun, str(worded.message), status="failed")
            return Evidence(result=found)
        texts = [variant.text for variant in worded.variants]
        results = [found, *(self._retrieved(question, text) for text in texts)]
        both = _of_all(results, limit=question.top_k + question.top_k // 2)
        both = replace(both, usage={**both.usage, wording.name: worded.usage}, corrections=found.corrections)
        yield _done(steps, begun, both, queries=[question.text, *texts])
        known = {passage.chunk_id for passage in found.passages}
        corrected = any(passage.chunk_id not in known for passage in both.passages)
        return Evidence(result=both, corrected=corrected, reworded=True)

    def _from_the_web(self, question: Question, steps: StepLog, evidence: Evidence) -> Generator[Event, None, Evidence]:
        assert self._web is not None  # noqa: S101 - the caller has looked
        begun = steps.begin(
            "web_search", _("The documents have nothing good, and this assistant may search the web."),
            queries=[question.text],
        )  # fmt: skip
        yield begun
        release_connections()
        try:
            pages, spent = self._web(question.text, question.language)
        except KnowledgeTreeError as error:
            log.warning("the web search failed", extra={"fields": {"code": error.code, "error": str(error)}})
            yield steps.end(begun, str(error.message), status="failed")
            return evidence
        yield steps.end(begun, sources=[page.title for page in pages], confidence=strength(pages)[0])
        result = replace(evidence.result, usage={**evidence.result.usage, "web_search": spent})
        if not pages:
            return replace(evidence, result=result)
        best = sorted((*result.passages, *pages), key=lambda passage: -passage.relevance)[: question.top_k]
        result = replace(result, passages=tuple(best), quality=grade(best, self._settings))
        return Evidence(result=result, corrected=True, web_fallback=True)


def _of_all(results: Sequence[SearchResult], *, limit: int) -> SearchResult:
    """The passages of all by their places, as good as the best of the searches."""
    best = max(results, key=lambda result: strength(result.passages))
    all_of_them = merged([Evidence(result=result) for result in results], limit=limit).result
    return replace(all_of_them, quality=best.quality)


def _anew() -> str:
    return _("What was found is weak, so the question is worded anew.")


def _done(
    steps: StepLog, begun: StepChanged, result: SearchResult, *, queries: Sequence[str] | None = None
) -> StepChanged:
    titles = [passage.title for passage in result.passages]
    best = strength(result.passages)[0]
    return steps.end(begun, _found(result), queries=queries, sources=titles, confidence=best)


def _found(result: SearchResult) -> str:
    count = len(result.passages)
    if not count:
        return _("Nothing was found.")
    values = {"n": count, "quality": QUALITIES[result.quality or "LOW"]()}
    return (
        ngettext("%(n)d passage found; quality: %(quality)s.", "%(n)d passages found; quality: %(quality)s.", count)
        % values
    )


QUALITIES: dict[str, Callable[[], str]] = {
    "HIGH": lambda: _("high"),
    "MEDIUM": lambda: _("medium"),
    "LOW": lambda: _("low"),
}
