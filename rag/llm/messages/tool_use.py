"""A conversation with tools, in the terms of the Messages API and back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rag.llm.messages.located_reply import counted
from rag.types import Message, ModelTurn, Tokens, ToolCall, ToolResult, ToolSpec
from rag.types.dialogue import StopReason

if TYPE_CHECKING:
    from anthropic import types as api

_LIMITS = ("max_tokens", "model_context_window_exceeded")


def tools_as_sent(tools: Iterable[ToolSpec], *, may_call: bool) -> dict[str, Any]:
    """Parameters of a request. Tools stay declared where they may not be called: earlier turns speak of them."""
    declared = [{"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in tools]
    if not declared:
        return {}
    return {"tools": declared, "tool_choice": {"type": "auto" if may_call else "none"}}


def messages_as_sent(messages: Sequence[Message]) -> list[dict[str, Any]]:
    return [_as_sent(message) for message in messages]


def turn_of(reply: "api.Message") -> ModelTurn:
    """What the model said and wants done. Calls count only where it stopped for them: a cut one may lack arguments."""
    stopped: StopReason = "limit" if reply.stop_reason in _LIMITS else "end"
    calls = tuple(_calls(reply)) if stopped != "limit" else ()
    return ModelTurn(
        text="".join(block.text for block in reply.content if block.type == "text").strip(),
        calls=calls,
        stopped="tools" if calls else stopped,
        usage=counted(reply.usage, Tokens()),
        content=tuple(block.to_dict(warnings=False) for block in reply.content),
    )


def _as_sent(message: Message) -> dict[str, Any]:
    if isinstance(message, str):
        return {"role": "user", "content": [{"type": "text", "text": message}]}
    if isinstance(message, ModelTurn):
        return {"role": "assistant", "content": list(message.content) or [{"type": "text", "text": message.text}]}
    return {"role": "user", "content": [_result(result) for result in message]}


def _result(result: ToolResult) -> dict[str, Any]:
    sent = {"type": "tool_result", "tool_use_id": result.call_id, "content": result.text}
    return {**sent, "is_error": True} if result.failed else sent


def _calls(reply: "api.Message") -> Iterable[ToolCall]:
    for block in reply.content:
        if block.type == "tool_use":
            # The SDK checks no types: a gateway may send the arguments as text.
            arguments = block.input if isinstance(block.input, Mapping) else {}
            yield ToolCall(id=block.id, name=block.name, arguments=arguments)
