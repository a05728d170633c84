"""What the pipeline says while it works. The page, the API and the commands read the same stream.

Order: Started, Retrieved, then any number of AnswerDelta, CitationAdded and Noticed, then exactly one Completed;
StepChanged comes at any time between Started and Completed, Retrieved again where the search was corrected,
DraftRevised where the deltas before it no longer count. A direct answer has no Retrieved, one from a cache no deltas.
Failed ends the stream instead where the question cannot be answered at all. Saved follows Completed where the answer
was stored.
"""

from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from knowledgetree.logs import trace_id
from rag.types import Answer, Citation, Correction, Notice, Passage, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`name` is the SSE event name; the fields are its data."""

    name: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    name: ClassVar[str] = "started"
    question: str
    trace_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChanged(Event):
    """A step begins (`running`) or has ended."""

    name: ClassVar[str] = "step"
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved(Event):
    name: ClassVar[str] = "retrieved"
    passages: tuple[Passage, ...]
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDelta(Event):
    """The next piece of the answer. `[n]` may arrive before or after its CitationAdded, never without one."""

    name: ClassVar[str] = "delta"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRevised(Event):
    """What was written so far is withdrawn: it left something out, and a better draft begins."""

    name: ClassVar[str] = "revised"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationAdded(Event):
    name: ClassVar[str] = "citation"
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Event):
    name: ClassVar[str] = "notice"
    notice: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed(Event):
    """The final answer; its text replaces what the deltas made (invalid `[n]` are gone from it).

    `topics`: what may be asked next, of an answer that will be stored.
    """

    name: ClassVar[str] = "completed"
    answer: Answer
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved(Event):
    name: ClassVar[str] = "saved"
    conversation_id: str
    exchange_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Event):
    name: ClassVar[str] = "failed"
    code: str
    message: str
    remedy: str
    retryable: bool


def went_wrong() -> Failed:
    """What whoever asked is told where something broke that should not; the log has it under the same number."""
    return Failed(
        code="unexpected",
        message=_("Something went wrong on our side."),
        retryable=True,
        remedy=_("Try again; if it happens again, give the administrator the number %(id)s.") % {"id": trace_id.get()},
    )
