"""What is said to a language model and what it says, beyond plain text: located quotes and the use of tools."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rag.types.searching import Tokens

StopReason = Literal["end", "tools", "limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotableSource:
    """A text that a model may quote, in `blocks`: the smallest pieces that it can point at, none of them blank."""

    title: str
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A quote for what the model has just written: blocks [first, last) of source number `source`, both from 0.

    `quoted` is the text of these blocks as the server gave it; numbers of a server may be wrong.
    """

    source: int
    first: int
    last: int
    quoted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool that a model may call: `schema` is the JSON schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """What a model wants done. `arguments` are its own words: check them as any text of others."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call came to; `failed`: `text` says why it came to nothing."""

    call_id: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurn:
    """A model's turn in a conversation with tools. It waits for the results of all its `calls`.

    `stopped`: at its "end", for its "tools", or at the "limit" of tokens. `content` is what the server sent, to be sent
    back as it is.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stopped: StopReason = "end"
    usage: Tokens = field(default_factory=Tokens)
    content: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)


Message = str | ModelTurn | tuple[ToolResult, ...]
"""One message of a conversation: the user's words, what the model said, or what its calls came to."""
