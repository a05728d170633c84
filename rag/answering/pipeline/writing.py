"""The answer written from the evidence: by the preset's synthesizer, or by the extractive one where that fails."""

import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from rag.answering.synthesis.extractive import ExtractiveSynthesizer
from rag.answering.synthesis.protocol import Draft, Synthesis, Synthesizer
from rag.errors import LLMError
from rag.events import AnswerDelta, CitationAdded, DraftRevised, Event, Noticed
from rag.question import Evidence, Question
from rag.search.links import with_url
from rag.types import Notice, Passage, Tokens
from rag.understanding.comparison import compared_things

log = logging.getLogger("knowledgetree.ask")

_FIRST = 8  # passages that rules write from whatever their relevance, which knows typed words alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """`synthesizer` is the name of the one that wrote it; `notices` are what the reader should know of that.

    `withdrawn`: the tokens of drafts that came to nothing.
    """

    synthesis: Synthesis = field(default_factory=Synthesis)
    synthesizer: str = ""
    notices: tuple[Notice, ...] = ()
    withdrawn: Tokens = field(default_factory=Tokens)

    def instead_of(self, other: "Written") -> "Written":
        """With what `other` has cost, which came to nothing."""
        return replace(self, withdrawn=self.withdrawn + other.withdrawn + other.synthesis.usage)


class Writing:
    """`name` is that of `synthesizer` in presets."""

    def __init__(self, synthesizer: Synthesizer, *, name: str) -> None:
        self._synthesizer = synthesizer
        self._extractive = ExtractiveSynthesizer()
        self._name = "extractive" if isinstance(synthesizer, ExtractiveSynthesizer) else name

    def write(self, question: Question, evidence: Evidence) -> Generator[Event, None, Written]:
        """Yields the draft as it grows. A model that fails in the middle is succeeded by the extractive answer."""
        read = evidence.read or evidence.result.passages
        by_rules = _above_threshold(question, read)
        draft = self._begun(question, by_rules if self._name == "extractive" else read)
        try:
            yield from _told(draft)
        except LLMError as error:
            log.warning("the model failed", extra={"fields": {"code": error.code, "error": str(error)}})
            notice = Notice(code=error.code, message=_without_model(error))
            yield DraftRevised()
            yield Noticed(notice=notice)
            instead = _extracted(self._extractive, question, by_rules)
            yield from _told(instead)
            return Written(
                synthesis=instead.result,
                synthesizer="extractive",
                notices=(notice,),
                withdrawn=draft.result.usage,
            )
        return Written(synthesis=draft.result, synthesizer=self._name)

    def _begun(self, question: Question, passages: Sequence[Passage]) -> Draft:
        if self._name == "extractive":
            return _extracted(self._synthesizer, question, passages)
        background = question.background
        return self._synthesizer.synthesize(
            question.to_answer, passages, language=question.language, background=background
        )


def _above_threshold(question: Question, passages: Sequence[Passage]) -> Sequence[Passage]:
    """What rules write from: the first passages, which may say it in other words, and those above the question's
    threshold; all for who compares two things, one of which is often far less relevant to the whole question.
    """
    if compared_things(question.text):
        return passages
    return [*passages[:_FIRST], *(one for one in passages[_FIRST:] if one.relevance >= question.threshold)]


def _extracted(synthesizer: Synthesizer, question: Question, passages: Sequence[Passage]) -> Draft:
    """The sentences that have the words which were searched, in whatever language the question was asked."""
    return synthesizer.synthesize(question.text, passages, language=question.language, background=question.background)


def _told(draft: Draft) -> Generator[Event, None, None]:
    with closing(iter(draft)) as pieces:
        for piece in pieces:
            if not isinstance(piece, str):
                yield CitationAdded(citation=with_url(piece))
            elif piece:
                yield AnswerDelta(text=piece)


def told_again(synthesis: Synthesis) -> Generator[Event, None, None]:
    """What the reader saw of it, in one piece."""
    for citation in synthesis.citations:
        yield CitationAdded(citation=with_url(citation))
    yield AnswerDelta(text=synthesis.text)


def _without_model(error: LLMError) -> str:
    return _("The language model did not answer, so these are the best sentences of the sources. %(remedy)s") % {
        "remedy": error.remedy
    }
