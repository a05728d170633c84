"""What the replaceable parts of answering promise."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pydantic import BaseModel

from rag.events import Event
from rag.question import Background, Evidence, Question
from rag.steps import StepLog
from rag.types import Citation, Located, Message, ModelTurn, Passage, Source, Tokens, ToolSpec

T = TypeVar("T", bound=BaseModel)


class Reply(Protocol):
    """One answer of a language model: iterate it once, then read the rest."""

    def __iter__(self) -> Generator[str, None, None]:
        """Pieces of text as they arrive, at least one. Closing the generator ends the request.

        Raises LLMUnavailable (worth a retry) or LLMRejected, also in the middle; nothing of an SDK escapes.
        """

    @property
    def usage(self) -> Tokens:
        """Tokens counted so far; complete after the last piece."""

    @property
    def truncated(self) -> bool:
        """Whether the text stops at `max_tokens` rather than at its end; known after the last piece."""


class LocatingReply(Protocol):
    """A reply that locates what it quotes; in all else a `Reply`."""

    def __iter__(self) -> Generator[str | Located, None, None]:
        """As `Reply`; a Located comes after the words that it bears out."""

    @property
    def usage(self) -> Tokens: ...

    @property
    def truncated(self) -> bool: ...


class LanguageModel(Protocol):
    """A model that answers a prompt. One instance serves all threads. `name` is the model's identifier.

    `locates`: whether its server is asked to locate quotes; False from when it first refused to.
    """

    name: str

    @property
    def locates(self) -> bool: ...

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> Reply:
        """A reply of at most `max_tokens` tokens; the request goes out when it is iterated."""

    def structured(
        self, *, system: str, prompt: str, schema: type[T], max_tokens: int, timeout: float
    ) -> tuple[T, Tokens]:
        """The reply as a valid `schema`, and what it cost, a second attempt included.

        `timeout` is in seconds and bounds the whole call. Raises LLMUnavailable, also for a reply that does not fit the
        schema, or LLMRejected.
        """

    def cite(self, *, system: str, sources: Sequence[Source], prompt: str, max_tokens: int) -> LocatingReply:
        """As `stream`, with the sources before the prompt, each as a search result.

        Raises CitationsUnsupported, before the first piece, where the server does not know such.
        """

    def converse(
        self,
        *,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        max_tokens: int,
        timeout: float,
        may_call: bool = True,
    ) -> ModelTurn:
        """The model's next turn, with calls of `tools` or without. `messages` begin and end with one that is not its.

        `timeout` is in seconds and bounds the whole call. Where it may not call, the model says what it has. Raises
        LLMUnavailable or LLMRejected.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """What a draft came to. `text` and `citations` are what was yielded; not `found`: both are empty.

    `removed_citations` counts numbers of sources that do not exist; `passages_used` those the answer was
    written from; `model` and `prompt_hash` are "" where no model was asked.
    """

    text: str = ""
    citations: tuple[Citation, ...] = ()
    found: bool = True
    truncated: bool = False
    removed_citations: int = 0
    usage: Tokens = field(default_factory=Tokens)
    model: str = ""
    prompt_hash: str = ""
    passages_used: int = 0


class Draft(Protocol):
    """A synthesis under way: iterate it once for text and citations, then read the result."""

    def __iter__(self) -> Generator[str | Citation, None, None]:
        """Text pieces and citations in the order the reader should see them; `[n]` are final.

        A citation comes before its first `[n]`. Closing the generator ends the request to the model. An empty text
        says that work goes on which has nothing to show yet: a moment to close.
        """

    @property
    def result(self) -> Synthesis:
        """Complete after the last piece; before that, or after an error, what there is so far."""


class Synthesizer(Protocol):
    """Writes an answer from passages."""

    def synthesize(
        self, question: str, passages: Sequence[Passage], *, language: str, background: Background | None = None
    ) -> Draft:
        """A draft that cites only the given passages, numbered from 1 by first use."""


class Gathering(Protocol):
    """Finds the evidence for a question: by one search and its correction, or by several steps of research."""

    def gather(self, question: Question, steps: StepLog) -> Generator[Event, None, Evidence]:
        """Yields what `steps` announces as it goes, and Retrieved when passages are known.

        Closing it ends what is under way. It ends early, with what there is, when `question.cancelled()`.
        """
