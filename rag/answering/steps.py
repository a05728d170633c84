"""The steps of one answer, numbered and timed."""

import time
from collections.abc import Sequence
from dataclasses import replace

from knowledgetree.tracing import OpenSpan, begin_span
from rag.events import StepChanged
from rag.types import Step, StepKind, StepStatus


class StepLog:
    """Keeps what `begin` and `end` announce, each a span. One for each answer; not for several threads."""

    def __init__(self) -> None:
        self._steps: dict[int, Step] = {}
        self._begun: dict[int, float] = {}
        self._spans: dict[int, OpenSpan] = {}

    @property
    def steps(self) -> tuple[Step, ...]:
        """In order of their beginning, each as it was announced last."""
        return tuple(self._steps.values())

    def begin(self, kind: StepKind, reasoning: str, *, queries: Sequence[str] = ()) -> StepChanged:
        number = len(self._steps) + 1
        self._begun[number] = time.perf_counter()
        self._spans[number] = begin_span(kind, {"knowledgetree.step": number})
        return self._announced(Step(number=number, kind=kind, reasoning=reasoning, queries=tuple(queries)))

    def end(
        self,
        begun: StepChanged,
        reasoning: str = "",
        *,
        status: StepStatus = "done",
        queries: Sequence[str] | None = None,
        sources: Sequence[str] = (),
        confidence: float | None = None,
    ) -> StepChanged:
        """`reasoning` "" and `queries` None: those it began with. Titles of `sources` are told once each."""
        step = begun.step
        self._spans.pop(step.number).end()
        return self._announced(
            replace(
                step,
                status=status,
                reasoning=reasoning or step.reasoning,
                queries=step.queries if queries is None else tuple(queries),
                sources=tuple(dict.fromkeys(sources)),
                confidence=confidence,
                duration=(time.perf_counter() - self._begun[step.number]) * 1000,
            )
        )

    def close(self) -> None:
        """Whatever is still under way was broken off."""
        for span in reversed(self._spans.values()):
            span.fail("unfinished")
            span.end()
        self._spans.clear()

    def _announced(self, step: Step) -> StepChanged:
        self._steps[step.number] = step
        return StepChanged(step=step)
