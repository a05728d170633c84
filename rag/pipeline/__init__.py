"""A question's way to its answer, as a stream of events: gather, judge, write, verify, conclude."""

import logging
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace

from django.utils import translation
from django.utils.translation import gettext as _

from ingestion.text.analyser import analyser
from knowledgetree.conf import RAGSettings
from rag.claims import uncited_claims
from rag.correction.strips import relevant_parts
from rag.errors import LLMError
from rag.events import AnswerDelta, CitationAdded, Completed, Event, Noticed
from rag.llm import release_connection
from rag.pipeline.conclusion import Conclusion, with_url
from rag.pipeline.parts import gathering_of, synthesizer_of
from rag.presets import Preset
from rag.protocols import Gathering, Synthesis, Synthesizer
from rag.question import Evidence, Question
from rag.steps import StepLog
from rag.synthesis.extractive import ExtractiveSynthesizer
from rag.types import CheckedClaim, Notice, Passage, Verification

__all__ = ["Pipeline"]

log = logging.getLogger("knowledgetree.ask")


class Pipeline:
    """Built from a preset; a part is replaced by passing another."""

    def __init__(
        self,
        preset: Preset,
        settings: RAGSettings,
        *,
        gathering: Gathering | None = None,
        synthesizer: Synthesizer | None = None,
    ) -> None:
        self._preset = preset
        self._gathering = gathering or gathering_of(preset, settings)
        self._extractive = ExtractiveSynthesizer(analyser=analyser())
        self._synthesizer = synthesizer or synthesizer_of(preset, settings) or self._extractive

    def run(self, question: Question, steps: StepLog | None = None) -> Iterator[Event]:
        """Events from the first StepChanged to Completed. Closing the iterator ends the request to the model."""
        steps = steps or StepLog()
        started = time.perf_counter()
        evidence = yield from self._gathering.gather(question, steps)
        end = Conclusion(question=question, evidence=evidence, steps=steps, started=started)
        if not question.synthesize:
            yield Completed(answer=end.passages_only())
        elif not self._has_evidence(evidence):
            yield from _not_found(end)
        else:
            release_connection()
            yield from self._answered(end, self._worth_writing_from(question, evidence))

    def _answered(self, end: Conclusion, passages: list[Passage]) -> Iterator[Event]:
        begun = end.steps.begin("synthesis", _("Writing the answer from the passages found."))
        yield begun
        synthesis, notices, name = yield from self._draft(end.question, passages)
        yield end.steps.end(begun, sources=[citation.title for citation in synthesis.citations])
        if not synthesis.found:
            yield from _not_found(end, synthesis)
            return
        verification = _unverified(synthesis)
        yield Completed(answer=end.answered(synthesis, verification=verification, notices=notices, synthesizer=name))

    def _draft(
        self, question: Question, passages: list[Passage]
    ) -> Generator[Event, None, tuple[Synthesis, tuple[Notice, ...], str]]:
        """What was written, what the reader should know of it, and the name of the synthesizer that wrote it."""
        notices: tuple[Notice, ...] = ()
        try:
            synthesis = yield from self._written(self._synthesizer, question, passages)
            name = self._preset.synthesizer
        except LLMError as error:
            log.warning("the model failed", extra={"fields": {"code": error.code, "error": str(error)}})
            notices = (Notice(code=error.code, message=_llm_notice(error)),)
            yield Noticed(notice=notices[0])
            synthesis = yield from self._written(self._extractive, question, passages)
            name = "extractive"
        if synthesis.truncated:
            notices += (Notice(code="truncated", message=_("The answer reached its limit of length and was cut.")),)
            yield Noticed(notice=notices[-1])
        return synthesis, notices, name

    def _written(
        self, synthesizer: Synthesizer, question: Question, passages: list[Passage]
    ) -> Generator[Event, None, Synthesis]:
        draft = synthesizer.synthesize(question.text, passages, language=question.language)
        with closing(iter(draft)) as pieces:
            for piece in pieces:
                if isinstance(piece, str):
                    yield AnswerDelta(text=piece)
                else:
                    yield CitationAdded(citation=with_url(piece))
        return draft.result

    def _has_evidence(self, evidence: Evidence) -> bool:
        return any(passage.relevance >= self._preset.min_relevance for passage in evidence.result.passages)

    def _worth_writing_from(self, question: Question, evidence: Evidence) -> list[Passage]:
        """Those above the question's threshold, if any are. A model gets only the parts that bear on the question."""
        passages = evidence.result.passages
        chosen = [passage for passage in passages if passage.relevance >= question.threshold] or list(passages)
        if self._synthesizer is self._extractive or evidence.result.quality == "HIGH":
            return chosen
        return relevant_parts(question.text, chosen, analyser())


def _not_found(end: Conclusion, synthesis: Synthesis | None = None) -> Iterator[Event]:
    """Says so, in the question's language, with no citation; the nearest passages stay in the answer."""
    with translation.override(end.question.language):
        text = _("Not found in the sources.")
    yield AnswerDelta(text=text)
    yield Completed(answer=end.not_found(replace(synthesis or Synthesis(), text=text, citations=())))


def _unverified(synthesis: Synthesis) -> Verification:
    return Verification(
        claims=tuple(CheckedClaim(text=text, verdict="uncited") for text in uncited_claims(synthesis.text)),
        confidence=max((citation.score for citation in synthesis.citations), default=0.0),
    )


def _llm_notice(error: LLMError) -> str:
    return _("The language model did not answer, so these are the best sentences of the sources. %(remedy)s") % {
        "remedy": error.remedy
    }
