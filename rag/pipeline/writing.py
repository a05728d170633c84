"""The answer written from the evidence: by the preset's synthesizer, or by the extractive one where that fails."""

import logging
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ingestion.text.analyser import analyser
from rag.correction.strips import relevant_parts
from rag.errors import LLMError
from rag.events import AnswerDelta, CitationAdded, Event, Noticed
from rag.links import with_url
from rag.protocols import Synthesis, Synthesizer
from rag.question import Evidence, Question
from rag.synthesis.extractive import ExtractiveSynthesizer
from rag.types import Notice, Passage

log = logging.getLogger("knowledgetree.ask")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """`synthesizer` is the name of the one that wrote it; `notices` are what the reader should know of that."""

    synthesis: Synthesis
    synthesizer: str
    notices: tuple[Notice, ...] = ()


class Writing:
    """`name` is that of `synthesizer` in presets."""

    def __init__(self, synthesizer: Synthesizer, *, name: str) -> None:
        self._synthesizer = synthesizer
        self._extractive = ExtractiveSynthesizer(analyser=analyser())
        self._name = "extractive" if isinstance(synthesizer, ExtractiveSynthesizer) else name

    def write(self, question: Question, evidence: Evidence) -> Generator[Event, None, Written]:
        """Yields the draft as it grows. A model that fails in the middle is succeeded by the extractive answer."""
        passages = self._worth_reading(question, evidence)
        try:
            synthesis = yield from _draft(self._synthesizer, question, passages)
            written = Written(synthesis=synthesis, synthesizer=self._name)
        except LLMError as error:
            log.warning("the model failed", extra={"fields": {"code": error.code, "error": str(error)}})
            notice = Notice(code=error.code, message=_without_model(error))
            yield Noticed(notice=notice)
            synthesis = yield from _draft(self._extractive, question, passages)
            written = Written(synthesis=synthesis, synthesizer="extractive", notices=(notice,))
        return written

    def _worth_reading(self, question: Question, evidence: Evidence) -> list[Passage]:
        """Passages above the question's threshold, if any are; of weak ones a model gets only what bears on it."""
        passages = evidence.result.passages
        chosen = [passage for passage in passages if passage.relevance >= question.threshold] or list(passages)
        if self._name == "extractive" or evidence.result.quality == "HIGH":
            return chosen
        return relevant_parts(question.text, chosen, analyser())


def _draft(synthesizer: Synthesizer, question: Question, passages: list[Passage]) -> Generator[Event, None, Synthesis]:
    draft = synthesizer.synthesize(question.text, passages, language=question.language, background=question.background)
    with closing(iter(draft)) as pieces:
        for piece in pieces:
            if not isinstance(piece, str):
                yield CitationAdded(citation=with_url(piece))
            elif piece:
                yield AnswerDelta(text=piece)
    return draft.result


def _without_model(error: LLMError) -> str:
    return _("The language model did not answer, so these are the best sentences of the sources. %(remedy)s") % {
        "remedy": error.remedy
    }
