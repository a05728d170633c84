"""In what servers of the Chat Completions API differ, and how one learns it: from what they refuse."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from knowledgetree.language_models import Capabilities
from rag.llm.failures import status_of, told_by

_REFUSALS = frozenset({400, 404, 422, 500, 501})

_LESSONS: Final[tuple[tuple[re.Pattern[str], dict[str, bool]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), lesson)
    for pattern, lesson in (
        (r"stream_options", {"stream_usage": False}),
        (r"\bstream(ing)?\b.{0,20}not (supported|available)", {"streaming": False}),
        (r"use '?max_completion_tokens", {"completion_limit": True}),
        (r"system.{0,20}not supported|roles must alternate|only user and assistant", {"system_role": False}),
        (r"not support.{0,20}tool|\btools?\b.{0,40}(not support|requires? --)", {"tools": False}),
    )
)


def lesson_of(error: Exception) -> dict[str, bool]:
    """Which of the server's Capabilities a refusal tells, by name; none where it is about something else."""
    if status_of(error) not in _REFUSALS:
        return {}
    told = told_by(error)
    return next((lesson for pattern, lesson in _LESSONS if pattern.search(told)), {})


def shown_by(request: Mapping[str, Any]) -> dict[str, bool]:
    """Which of the server's Capabilities a request tells, by name, that it has accepted."""
    accepted = {
        "streaming": "stream" in request,
        "stream_usage": "stream_options" in request,
        "tools": "tools" in request,
        "system_role": any(message["role"] == "system" for message in request["messages"]),
    }
    return {name: True for name, shown in accepted.items() if shown}


def address_of(base_url: str) -> str:
    """The address with the version that this API has in it, which people tend to leave out."""
    return f"{base_url.rstrip('/')}/v1" if urlsplit(base_url).path in ("", "/") else base_url


def turns_as_sent(
    system: str, turns: Sequence[Mapping[str, Any]], capabilities: Capabilities
) -> list[Mapping[str, Any]]:
    """Rules and turns; the rules at the head of the first turn where the server knows no role for them."""
    if capabilities.system_role is not False:
        return [{"role": "system", "content": system}, *turns]
    first, *others = turns
    return [{**first, "content": f"{system}\n\n{first['content']}"}, *others]


def limit_as_sent(max_tokens: int, capabilities: Capabilities) -> dict[str, int]:
    return {"max_completion_tokens" if capabilities.completion_limit else "max_tokens": max_tokens}


def streaming_as_sent(capabilities: Capabilities) -> dict[str, Any]:
    """What asks for a stream and for the count of its tokens, which only comes when it is asked for."""
    if capabilities.streaming is False:
        return {}
    return {"stream": True} if capabilities.stream_usage is False else {"stream": True, "stream_options": _USAGE}


def form_as_sent(level: str, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """What keeps the reply to a form, at one of STRUCTURED_LEVELS."""
    if level == "schema":
        enforced = {"name": name, "schema": _all_required(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": enforced}}
    return {"response_format": {"type": "json_object"}} if level == "json" else {}


_USAGE: Final = {"include_usage": True}


def _all_required(schema: Any) -> Any:
    """The schema with no property left to choice, as OpenAI wants it of a strict one."""
    if isinstance(schema, list):
        return [_all_required(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    parts = {name: _all_required(part) for name, part in schema.items()}
    properties = schema.get("properties")
    return {**parts, "required": list(properties)} if isinstance(properties, Mapping) else parts
