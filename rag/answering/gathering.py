"""What gathers evidence promises: one search and its correction, or several steps of research."""

from collections.abc import Generator
from typing import Protocol

from rag.answering.steps import StepLog
from rag.events import Event
from rag.question import Evidence, Question


class Gathering(Protocol):
    """Finds the evidence for a question: by one search and its correction, or by several steps of research."""

    def gather(self, question: Question, steps: StepLog) -> Generator[Event, None, Evidence]:
        """Yields what `steps` announces as it goes, and Retrieved when passages are known.

        Closing it ends what is under way. It ends early, with what there is, when `question.cancelled()`.
        """
