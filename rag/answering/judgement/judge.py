"""The judge of answers that no language model wrote: how likely one is right, and what it is shown as."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from rag.answering.judgement.disqualification import (
    answers_otherwise,
    chance_left,
    defines_what_is_asked,
    quotes_what_is_named,
)
from rag.answering.judgement.essentials import lacks_an_essential
from rag.answering.judgement.particulars import lacks_a_particular
from rag.answering.judgement.parts import parts_of
from rag.answering.judgement.question_words import Words
from rag.answering.synthesis.protocol import Synthesis
from rag.presets import Preset
from rag.question import Evidence, Question
from rag.search.relevance.calibration import Calibration, from_stored
from rag.search.results_cache import expanded_query
from rag.search.retrieval.lexical import corpus_statistics
from rag.types import ConfidencePart, Outcome, Verification

# A chance, and what a reader is told of it: 0.7 and more, which passes for sure, only where one in ten is wrong at
# most, since who relies on it does not look at the source. The page says "pewna" from 0.8 on.
_CHANCES, _TOLD = (0.0, 0.69, 0.83, 0.91, 1.0), (0.0, 0.69, 0.7, 0.86, 1.0)
SHIPPED = Path(__file__).with_name("judgement.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDraft:
    """`verification` with the confidence of this answer and its parts; `outcome` is what the reader is shown it as."""

    verification: Verification
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """By the thresholds of `preset`. `result_seconds`: how long an analysed question is kept."""

    preset: Preset
    result_seconds: float

    def judged(
        self, question: Question, evidence: Evidence, synthesis: Synthesis, verification: Verification
    ) -> JudgedDraft:
        """An answer with citations, and what comparing it with its sources came to."""
        words = Words(
            question=question,
            query=expanded_query(
                question.text, question.collections, seconds=self.result_seconds, clearance=question.clearance
            ),
            statistics=corpus_statistics([collection.pk for collection in question.collections]),
        )
        passages, citations = evidence.result.passages, synthesis.citations
        values = parts_of(words, passages, synthesis)
        right = float(np.interp(shipped()["right"].chance(values), _CHANCES, _TOLD))
        found = (words, passages, citations)
        otherwise = answers_otherwise(*found) or lacks_an_essential(*found) or lacks_a_particular(*found)
        left = 0.0 if otherwise else chance_left(*found)
        there = left * shipped()["answerable"].chance(values)
        defined = left and defines_what_is_asked(words, citations)
        if defined or (left == 1.0 and quotes_what_is_named(*found)):
            there = max(there, self.preset.least_answerable)
        parts = tuple(
            ConfidencePart(name=name, value=values[name], weight=part.weight / part.scale)
            for name, part in shipped()["right"].inputs.items()
        )
        return JudgedDraft(
            verification=replace(verification, confidence=right, confidence_parts=parts),
            outcome=self._outcome(right, there),
        )

    def _outcome(self, right: float, there: float) -> Outcome:
        if there < self.preset.least_answerable:
            return "not_found"
        return "answered" if right >= self.preset.certain_confidence else "not_certain"


@lru_cache(maxsize=1)
def shipped() -> dict[str, Calibration]:
    """By what they give the chance of: that the answer is `right`, that the passages found are `answerable` from."""
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return {name: from_stored(stored) for name, stored in content["chances"].items()}
