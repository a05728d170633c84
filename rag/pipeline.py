"""A question's way to its answer, as a stream of events: retrieve, judge, write, conclude."""

import logging
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace

from django.utils import translation
from django.utils.translation import gettext as _

from ingestion.text.analyser import analyser
from knowledgetree.conf import RAGSettings
from rag.errors import LLMError
from rag.events import AnswerDelta, CitationAdded, Completed, Event, Noticed, Retrieved
from rag.links import passage_url
from rag.llm import language_model, release_connection
from rag.presets import Preset
from rag.protocols import Synthesis, Synthesizer
from rag.question import Question
from rag.retrieval.hybrid import HybridRetriever
from rag.synthesis.claims import uncited_claims
from rag.synthesis.compact import CompactSynthesizer
from rag.synthesis.extractive import ExtractiveSynthesizer
from rag.types import Answer, Citation, Metrics, Notice, Outcome, Passage, SearchResult

log = logging.getLogger("knowledgetree.ask")


class Pipeline:
    """Built from a preset; a part is replaced by passing another."""

    def __init__(
        self,
        preset: Preset,
        settings: RAGSettings,
        *,
        retriever: HybridRetriever | None = None,
        synthesizer: Synthesizer | None = None,
    ) -> None:
        self._preset = preset
        self._retriever = retriever or HybridRetriever(preset=preset, lexical=settings.lexical, llm=settings.llm)
        self._extractive = ExtractiveSynthesizer(analyser=analyser())
        self._synthesizer = synthesizer or self._configured(settings)

    def run(self, question: Question) -> Iterator[Event]:
        """Events from Retrieved to Completed. Closing the iterator ends the request to the model."""
        started = time.perf_counter()
        result = self._retriever.retrieve(
            question.text,
            collections=question.collections,
            filters=question.filters,
            top_k=question.top_k,
            intent=question.analysis.intent,
        )
        yield Retrieved(passages=result.passages, corrections=result.corrections)
        if not question.synthesize:
            yield Completed(answer=_answer(question, result, "passages_only", started=started))
            return
        if not self._has_evidence(result):
            yield from _not_found(question, result, started)
            return
        result = replace(result, passages=_relevant(result.passages, question.threshold))
        release_connection()
        yield from self._synthesis(question, result, started)

    def _synthesis(self, question: Question, result: SearchResult, started: float) -> Iterator[Event]:
        notices: tuple[Notice, ...] = ()
        synthesis = None
        try:
            synthesis = yield from self._written(self._synthesizer, question, result)
        except LLMError as error:
            log.warning("the model failed", extra={"fields": {"code": error.code, "error": str(error)}})
            notices = (Notice(code=error.code, message=_llm_notice(error)),)
            yield Noticed(notice=notices[0])
        name = self._preset.synthesizer
        if synthesis is None:
            name = "extractive"
            synthesis = yield from self._written(self._extractive, question, result)
        if not synthesis.found:
            yield from _not_found(question, result, started, synthesis)
            return
        if synthesis.truncated:
            notices += (Notice(code="truncated", message=_("The answer reached its limit of length and was cut.")),)
            yield Noticed(notice=notices[-1])
        answer = _answer(question, result, "answered", synthesis, started=started)
        yield Completed(answer=replace(answer, notices=notices, synthesizer=name))

    def _written(
        self, synthesizer: Synthesizer, question: Question, result: SearchResult
    ) -> Generator[Event, None, Synthesis]:
        draft = synthesizer.synthesize(question.text, result.passages, language=question.language)
        with closing(iter(draft)) as pieces:
            for piece in pieces:
                if isinstance(piece, str):
                    yield AnswerDelta(text=piece)
                else:
                    yield CitationAdded(citation=with_url(piece))
        return draft.result

    def _has_evidence(self, result: SearchResult) -> bool:
        return any(passage.relevance >= self._preset.min_relevance for passage in result.passages)

    def _configured(self, settings: RAGSettings) -> Synthesizer:
        if self._preset.synthesizer == "compact" and settings.llm.api_key:
            llm = replace(settings.llm, model=self._preset.model or settings.llm.model)
            return CompactSynthesizer(
                llm=language_model(llm),
                analyser=analyser(),
                max_tokens=llm.max_tokens,
                source_tokens=self._preset.source_tokens or llm.source_tokens,
            )
        return self._extractive


def with_url(citation: Citation) -> Citation:
    url = passage_url(citation.document_id, citation.start, citation.end, citation.quote)
    return replace(citation, url=url)


def _relevant(passages: tuple[Passage, ...], threshold: float) -> tuple[Passage, ...]:
    return tuple(passage for passage in passages if passage.relevance >= threshold) or passages


def _not_found(
    question: Question, result: SearchResult, started: float, synthesis: Synthesis | None = None
) -> Iterator[Event]:
    """Says so, in the question's language, with no citation; the nearest passages stay in the answer."""
    with translation.override(question.language):
        text = _("Not found in the sources.")
    yield AnswerDelta(text=text)
    found = replace(synthesis or Synthesis(), text=text, citations=())
    yield Completed(answer=_answer(question, result, "not_found", found, started=started))


def _answer(
    question: Question, result: SearchResult, outcome: Outcome, synthesis: Synthesis | None = None, *, started: float
) -> Answer:
    synthesis = synthesis or Synthesis()
    answered = outcome == "answered"
    return Answer(
        question=question.text,
        text=synthesis.text,
        outcome=outcome,
        language=question.language,
        citations=tuple(with_url(citation) for citation in synthesis.citations),
        passages=result.passages,
        uncited_claims=uncited_claims(synthesis.text) if answered else (),
        removed_citations=synthesis.removed_citations,
        analysis=question.analysis,
        corrections=result.corrections,
        prompt_hash=synthesis.prompt_hash,
        confidence=max((citation.score for citation in synthesis.citations), default=0.0),
        metrics=Metrics(
            latency={**result.latency, "total": (time.perf_counter() - started) * 1000},
            tokens=sum(result.usage.values(), start=synthesis.usage),
            chunks_total=result.chunks_total,
            chunks_retrieved=len(result.passages),
            chunks_used=synthesis.passages_used,
            model=synthesis.model,
            trace=result.trace,
        ),
    )


def _llm_notice(error: LLMError) -> str:
    return _("The language model did not answer, so these are the best sentences of the sources. %(remedy)s") % {
        "remedy": error.remedy
    }
