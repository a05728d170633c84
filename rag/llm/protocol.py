"""What a language model promises."""

from collections.abc import Generator, Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from knowledgetree.language_models import Capabilities
from rag.types import Located, Message, ModelTurn, QuotableSource, Tokens, ToolSpec

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

    @property
    def capabilities(self) -> Capabilities:
        """What is known of the server by now, declared or found out."""

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> Reply:
        """A reply of at most `max_tokens` tokens; the request goes out when it is iterated."""

    def structured(
        self, *, system: str, prompt: str, schema: type[T], max_tokens: int, timeout: float
    ) -> tuple[T, Tokens]:
        """The reply as a valid `schema`, and what it cost, a second attempt included.

        `timeout` is in seconds and bounds the whole call. Raises LLMUnavailable, also for a reply that does not fit the
        schema, or LLMRejected.
        """

    def cite(self, *, system: str, sources: Sequence[QuotableSource], prompt: str, max_tokens: int) -> LocatingReply:
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
