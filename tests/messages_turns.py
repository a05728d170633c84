"""Scripted replies of a language model, and how the Messages API words them: as one JSON message and as events.

Format of the events: https://docs.anthropic.com/en/api/messages-streaming
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal, Self

Ending = Literal["complete", "cut", "silent_end", "error_event", "malformed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A native citation of a search-result block, sent as a `citations_delta`."""

    cited_text: str
    source: str = ""
    title: str = ""
    search_result_index: int = 0
    start_block_index: int = 0
    end_block_index: int = 1
    type: str = "search_result_location"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebQuote:
    """A citation of a page that the server's own web search found."""

    url: str
    cited_text: str
    title: str = ""
    encrypted_index: str = "zaszyfrowane"
    type: str = "web_search_result_location"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A call of a tool; `input` as the model words it."""

    name: str
    input: Any
    id: str = "toolu_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearch:
    """A search by the server's tool: pairs of address and title, or the code of its failure."""

    query: str = "zapytanie"
    found: tuple[tuple[str, str], ...] = ()
    error_code: str = ""


Piece = str | Located | WebQuote | ToolUse | WebSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One scripted response. `status` other than 200 sends an error; `ending` says how a stream ends:

    `complete`; `cut`: the connection drops; `silent_end`: it closes in order, but without the closing events;
    `error_event`: an `overloaded_error` in the stream; `malformed`: an event that is not JSON (without `stream`, a body
    that is not). Times are in seconds: `wait` before the response, `pause` after each piece. With `together` nothing is
    sent before so many requests were under way at once. A text that follows a citation is a block of its own;
    `citations_first` sends those of a block before its text.
    """

    pieces: tuple[Piece, ...] = ("Tak [1].",)
    status: int = 200
    error_type: str = "api_error"
    message: str = ""
    headers: Mapping[str, str] | None = None
    ending: Ending = "complete"
    stop_reason: str = "end_turn"
    input_tokens: int = 100
    output_tokens: int = 20
    cache_read: int = 0
    cache_write: int = 0
    together: int = 1
    wait: float = 0.0
    pause: float = 0.0
    citations_first: bool = False

    @classmethod
    def structured(cls, value: Any) -> Self:
        """The reply to a request with a JSON schema: the value as JSON text, in two pieces."""
        text = json.dumps(value, ensure_ascii=False)
        return cls(pieces=(text[: len(text) // 2], text[len(text) // 2 :]))

    @classmethod
    def calls(cls, *calls: ToolUse, text: str = "") -> Self:
        """A reply that waits for the results of its tools."""
        return cls(pieces=((text,) if text else ()) + calls, stop_reason="tool_use")


RATE_LIMITED = Turn(status=429, error_type="rate_limit_error", headers={"retry-after": "0.01"})
OVERLOADED = Turn(status=529, error_type="overloaded_error")
BROKEN = Turn(status=500)


def message(turn: Turn, model: str) -> dict[str, Any]:
    """The whole reply as the JSON of a request without `stream`."""
    content = [block for pieces in _blocks(turn.pieces) for block in _whole(pieces)]
    usage = {**_input(turn), "output_tokens": turn.output_tokens}
    return _envelope(model, content=content, stop_reason=turn.stop_reason, usage=usage)


def events(turn: Turn, model: str) -> Iterator[dict[str, Any]]:
    """The reply as stream events, up to where `turn.ending` breaks it off."""
    started = _envelope(model, content=[], stop_reason=None, usage={**_input(turn), "output_tokens": 1})
    yield {"type": "message_start", "message": started}
    yield {"type": "ping"}
    blocks = list(_blocks(turn.pieces)) or [[""]]
    for index, pieces in enumerate(blocks):
        ends = index < len(blocks) - 1 or turn.ending == "complete"
        yield from _block_events(index, pieces, turn, ends=ends)
    if turn.ending == "error_event":
        yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    if turn.ending == "complete":
        stopped = {"stop_reason": turn.stop_reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": turn.output_tokens}}
        yield {"type": "message_stop"}


def _blocks(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The pieces of each content block: texts up to their citations, or one use of a tool."""
    number = 0
    cited = False
    numbered: list[tuple[int, Piece]] = []
    for piece in pieces:
        alone = isinstance(piece, (ToolUse, WebSearch))
        number += alone or (cited and isinstance(piece, str))
        numbered.append((number, piece))
        cited = alone or not isinstance(piece, str)
    for _, group in groupby(numbered, key=lambda pair: pair[0]):
        yield [piece for _, piece in group]


def _whole(pieces: list[Piece]) -> list[dict[str, Any]]:
    first = pieces[0]
    if isinstance(first, ToolUse):
        return [{"type": "tool_use", "id": first.id, "name": first.name, "input": first.input}]
    if isinstance(first, WebSearch):
        return _searched(first)
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    found = [asdict(piece) for piece in pieces if isinstance(piece, (Located, WebQuote))]
    return [{"type": "text", "text": text, "citations": found or None}]


def _searched(search: WebSearch) -> list[dict[str, Any]]:
    found: Any = [
        {"type": "web_search_result", "url": url, "title": title, "encrypted_content": "…", "page_age": None}
        for url, title in search.found
    ]
    if search.error_code:
        found = {"type": "web_search_tool_result_error", "error_code": search.error_code}
    return [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": search.query}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found},
    ]


def _block_events(index: int, pieces: list[Piece], turn: Turn, *, ends: bool) -> Iterator[dict[str, Any]]:
    blank: dict[str, Any] = {"type": "text", "text": ""}
    first = pieces[0]
    if isinstance(first, ToolUse):
        blank = {"type": "tool_use", "id": first.id, "name": first.name, "input": {}}
    yield {"type": "content_block_start", "index": index, "content_block": blank}
    for piece in sorted(pieces, key=lambda piece: isinstance(piece, str)) if turn.citations_first else pieces:
        yield {"type": "content_block_delta", "index": index, "delta": _delta(piece)}
    if ends:
        yield {"type": "content_block_stop", "index": index}


def _delta(piece: Piece) -> dict[str, Any]:
    if isinstance(piece, str):
        return {"type": "text_delta", "text": piece}
    if isinstance(piece, ToolUse):
        return {"type": "input_json_delta", "partial_json": json.dumps(piece.input)}
    return {"type": "citations_delta", "citation": asdict(piece)}


def _input(turn: Turn) -> dict[str, int]:
    cached = {"cache_read_input_tokens": turn.cache_read, "cache_creation_input_tokens": turn.cache_write}
    return {"input_tokens": turn.input_tokens, **cached}


def _envelope(model: str, **fields: Any) -> dict[str, Any]:
    fixed = {"id": "msg_test", "type": "message", "role": "assistant", "stop_sequence": None}
    return {**fixed, "model": model, **fields}
