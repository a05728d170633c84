"""A conversation with tools, in the terms of the Chat Completions API and back."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rag.llm.chat_completions.chat_reply import counted
from rag.llm.chat_completions.thinking import answer_alone
from rag.types import Message, ModelTurn, Tokens, ToolCall, ToolResult, ToolSpec

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion


def functions_as_sent(tools: Iterable[ToolSpec], *, may_call: bool) -> dict[str, Any]:
    """Parameters of a request. Tools stay declared where they may not be called: earlier turns speak of them."""
    declared = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
        }
        for tool in tools
    ]
    return {"tools": declared, "tool_choice": "auto" if may_call else "none"} if declared else {}


def chat_as_sent(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """A message for each turn, and for each result of a tool."""
    return [sent for message in messages for sent in _as_sent(message)]


def chat_turn(reply: "ChatCompletion", *, may_call: bool = True) -> ModelTurn:
    """What the model said and wants done. Calls count only where it may call, and where it was not cut off."""
    choice = reply.choices[0]
    text = answer_alone(choice.message.content or "")
    cut = choice.finish_reason == "length"
    calls = () if cut or not may_call else tuple(_calls(choice.message))
    return ModelTurn(
        text=text,
        calls=calls,
        stopped="limit" if cut else "tools" if calls else "end",
        usage=counted(reply.usage) or Tokens(),
        content=(_assistant(text, calls),),
    )


def _as_sent(message: Message) -> list[dict[str, Any]]:
    if isinstance(message, str):
        return [{"role": "user", "content": message}]
    if isinstance(message, ModelTurn):
        return [dict(said) for said in message.content] or [_assistant(message.text, message.calls)]
    return [_result(result) for result in message]


def _assistant(text: str, calls: Iterable[ToolCall]) -> dict[str, Any]:
    called = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments), ensure_ascii=False)},
        }
        for call in calls
    ]
    return {"role": "assistant", "content": text, **({"tool_calls": called} if called else {})}


def _result(result: ToolResult) -> dict[str, Any]:
    """This API has no mark for a call that failed, so that its text says it."""
    text = f"Error: {result.text}" if result.failed else result.text
    return {"role": "tool", "tool_call_id": result.call_id, "content": text}


def _calls(message: Any) -> Iterable[ToolCall]:
    for number, call in enumerate(message.tool_calls or (), start=1):
        yield ToolCall(id=call.id or f"call_{number}", name=call.function.name, arguments=_arguments(call.function))


def _arguments(function: Any) -> Mapping[str, Any]:
    """Arguments as the model worded them: they may be no JSON, no object, or an object instead of its text."""
    found = function.arguments
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except ValueError:
            return {}
    return found if isinstance(found, Mapping) else {}
