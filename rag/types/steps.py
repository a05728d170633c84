"""What was done on the way to an answer, for the reader to follow and to look at again."""

from dataclasses import dataclass
from typing import Literal

StepKind = Literal["analysis", "rag_search", "web_search", "document", "calculation", "synthesis", "verification"]
StepStatus = Literal["running", "done", "skipped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Sent when it begins and again, with the same `number`, when it ends. Numbers count from 1 in an answer.

    `reasoning` says in the reader's language why the step is taken and what came of it; `queries` what was searched;
    `sources` the titles of what was found, best first. `confidence` is in [0, 1], None where nothing was judged;
    `duration` in milliseconds, 0 while it runs.
    """

    number: int
    kind: StepKind
    status: StepStatus = "running"
    reasoning: str = ""
    queries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    confidence: float | None = None
    duration: float = 0.0
