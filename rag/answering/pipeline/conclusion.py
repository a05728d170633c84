"""The answer put together from what each part came to."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rag.answering.pipeline.writing import Written
from rag.answering.steps import StepLog
from rag.answering.synthesis.protocol import Synthesis
from rag.answering.verification.confidence import LOW
from rag.question import Evidence, Question
from rag.search.links import with_url
from rag.search.near_sections import near_sections
from rag.search.query.searched_words import searched_words
from rag.search.results_cache import expanded_query
from rag.types import Answer, Metrics, Notice, Outcome, RelatedDocument, Tokens, Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """How a question may end. `started` is a reading of `time.perf_counter`.

    `spent`: the tokens of the steps around the search and the writing; `costs` says what tokens cost, in US dollars by
    step; `model_of` names the model of a step. `result_seconds`: how long an analysed question is kept.
    """

    question: Question
    evidence: Evidence
    steps: StepLog
    started: float
    spent: Mapping[str, Tokens]
    preset: str
    model_of: Callable[[str], str]
    costs: Callable[[Mapping[str, Tokens]], Mapping[str, float]]
    result_seconds: float = 0.0

    def having_spent(self, **usage: Tokens) -> "Conclusion":
        """With the tokens of further steps."""
        return replace(self, spent={**self.spent, **usage})

    def passages_only(self) -> Answer:
        return replace(self._answer("passages_only", Synthesis()), notices=self.question.notices)

    def not_found(self, written: Written) -> Answer:
        return self._looked_up(replace(self._answer("not_found", written.synthesis), notices=self._told(written)))

    def answered(
        self, written: Written, *, verification: Verification, related: tuple[RelatedDocument, ...] = ()
    ) -> Answer:
        return replace(
            self._answer("answered", written.synthesis),
            verification=verification,
            related=related,
            uncited_claims=verification.uncited,
            confidence=verification.confidence,
            notices=self._told(written),
            synthesizer=written.synthesizer,
        )

    def not_certain(self, written: Written, *, verification: Verification) -> Answer:
        """The nearest passages: their citations are checked, but as an answer they are worth little."""
        answer = self._looked_up(self.answered(written, verification=verification))
        return replace(answer, outcome="not_certain", confidence=min(answer.confidence, LOW))

    def _told(self, written: Written) -> tuple[Notice, ...]:
        return (*self.question.notices, *written.notices)

    def _looked_up(self, answer: Answer) -> Answer:
        """With what was searched for and where it came nearest, from what the asker may read alone."""
        question = self.question
        query = expanded_query(
            question.text, question.collections, seconds=self.result_seconds, clearance=question.clearance
        )
        sections = near_sections(answer.passages, apart_from=answer.citations)
        return replace(answer, searched_words=searched_words(query), nearest_sections=sections)

    def _answer(self, outcome: Outcome, synthesis: Synthesis) -> Answer:
        question, result = self.question, self.evidence.result
        return Answer(
            question=question.typed or question.text,
            searched=question.text if question.reworded else "",
            text=synthesis.text,
            outcome=outcome,
            language=question.language,
            citations=tuple(with_url(citation) for citation in synthesis.citations),
            passages=result.passages,
            removed_citations=synthesis.removed_citations,
            analysis=question.analysis,
            corrections=result.corrections,
            definitions=question.background.definitions,
            quality=result.quality,
            steps=self.steps.steps,
            prompt_hash=synthesis.prompt_hash,
            metrics=self._metrics(synthesis),
        )

    def _metrics(self, synthesis: Synthesis) -> Metrics:
        result = self.evidence.result
        usage = {**self.spent, **result.usage, "answer": synthesis.usage}
        usage = {step: tokens for step, tokens in usage.items() if tokens.total}
        costs = self.costs(usage)
        return Metrics(
            latency={**result.latency, "total": (time.perf_counter() - self.started) * 1000},
            tokens=sum(usage.values(), start=Tokens()),
            usage=usage,
            models={step: self.model_of(step) for step in usage},
            costs=costs,
            cost=sum(costs.values()),
            unpriced=tuple(sorted({self.model_of(step) for step in usage.keys() - costs.keys()})),
            corrected=self.evidence.corrected,
            web_fallback=self.evidence.web_fallback,
            chunks_total=result.chunks_total,
            chunks_retrieved=len(result.passages),
            chunks_used=synthesis.passages_used,
            lexical_hits=sum(passage.explanation.lexical_rank is not None for passage in result.passages),
            preset=self.preset,
            model=synthesis.model,
            trace=result.trace,
        )
