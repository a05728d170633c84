"""One search and what becomes of it: good enough, worded anew, or widened to the web (corrective RAG, SPEC 5)."""

import logging
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.protocols import Analyser
from knowledgetree.conf import CorrectionSettings
from knowledgetree.errors import KnowledgeTreeError
from rag.correction.grading import grade, strength
from rag.correction.refinement import refined
from rag.correction.web_search.configured import WebPassages
from rag.events import Event, Retrieved
from rag.llm import release_connection
from rag.query.transformation.protocol import Variant
from rag.question import Evidence, Question
from rag.retrieval.hybrid import HybridRetriever
from rag.steps import StepLog
from rag.types import SearchResult

log = logging.getLogger("knowledgetree.ask")


class CorrectedSearch:
    """Implements `rag.protocols.Gathering`. `thorough` is the retriever for the second attempt."""

    def __init__(
        self,
        *,
        retriever: HybridRetriever,
        thorough: HybridRetriever,
        analyser: Analyser,
        settings: CorrectionSettings,
        correct: bool = True,
        web: WebPassages | None = None,
    ) -> None:
        self._retriever = retriever
        self._thorough = thorough
        self._analyser = analyser
        self._settings = settings
        self._correct = correct
        self._web = web

    def gather(self, question: Question, steps: StepLog) -> Generator[Event, None, Evidence]:
        """See `rag.protocols.Gathering`. A HIGH search stands; else the better of two; after a LOW one the web."""
        found = yield from self._searched(question, steps, self._retriever, ())
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

    def _searched(
        self, question: Question, steps: StepLog, retriever: HybridRetriever, variants: Sequence[Variant]
    ) -> Generator[Event, None, SearchResult]:
        wordings = [question.text, *(variant.text for variant in variants)]
        reason = _("What was found is weak, so the question is worded anew.") if variants else ""
        begun = steps.begin("rag_search", reason or _("Searching the documents."), queries=wordings)
        yield begun
        result = retriever.retrieve(
            question.text,
            collections=question.collections,
            filters=question.filters,
            top_k=question.top_k,
            intent=question.analysis.intent,
            variants=variants,
        )
        result = replace(result, quality=grade(result.passages, self._settings))
        yield steps.end(
            begun,
            _found(result),
            sources=[passage.title for passage in result.passages],
            confidence=strength(result.passages)[0],
        )
        return result

    def _worded_anew(self, question: Question, steps: StepLog, found: SearchResult) -> Generator[Event, None, Evidence]:
        variants = refined(question.text, question.analysis, found.passages, self._analyser)
        again = yield from self._searched(question, steps, self._thorough, variants)
        spent = {**found.usage, **{f"{step} 2": tokens for step, tokens in again.usage.items()}}
        if strength(again.passages) <= strength(found.passages):
            return Evidence(result=replace(found, usage=spent))
        return Evidence(result=replace(again, corrections=found.corrections, usage=spent), corrected=True)

    def _from_the_web(self, question: Question, steps: StepLog, evidence: Evidence) -> Generator[Event, None, Evidence]:
        assert self._web is not None  # noqa: S101 - the caller has looked
        begun = steps.begin(
            "web_search", _("The documents have nothing good, and this assistant may search the web."),
            queries=[question.text],
        )  # fmt: skip
        yield begun
        release_connection()
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
