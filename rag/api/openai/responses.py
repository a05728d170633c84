"""An answer as a response of OpenAI's Responses API, whole or as its events."""

import json
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from rag.api.openai.said_text import SaidText
from rag.api.openai.url_citations import Absolute, judged, url_citations
from rag.events import AnswerDelta, Completed, DraftRevised, Event, Failed
from rag.types import Answer, Tokens


class ModelResponse:
    """One reply, a message with one text. `model` is echoed; `absolute` makes links."""

    def __init__(self, *, model: str, absolute: Absolute) -> None:
        self._absolute = absolute
        self._frame = {
            "id": f"resp_{uuid4().hex}",
            "object": "response",
            "created_at": int(time.time()),
            "model": model,
            **_NOTHING_CHOSEN,
        }
        self._item = f"msg_{uuid4().hex}"
        self._said = SaidText()
        self._sent = 0
        self._begun = self._over = False

    def whole(self, answer: Answer) -> dict[str, Any]:
        annotations = self._annotations(answer, start=self._said.start)
        return {
            **self._frame,
            "status": "completed",
            "completed_at": int(time.time()),
            "output": [self._message(self._said.whole or answer.text, annotations)],
            "usage": usage_of(answer.metrics.tokens),
            "knowledgetree": judged(answer),
        }

    def encode(self, event: Event) -> bytes:
        """The server-sent events that tell of `event`; none after the end."""
        return b"" if self._over else b"".join(map(self._encoded, self._events(event)))

    def _events(self, event: Event) -> Iterator[dict[str, Any]]:
        if not self._sent:
            yield {"type": "response.created", "response": self._unfinished("in_progress")}
            yield {"type": "response.in_progress", "response": self._unfinished("in_progress")}
        if isinstance(event, AnswerDelta):
            yield from self._text(self._said.add(event.text))
        elif isinstance(event, DraftRevised):
            yield from self._text(self._said.begin_anew())
        elif isinstance(event, Failed):
            said = " ".join(filter(None, [event.message, event.remedy]))
            error = {"code": "server_error", "message": said, "type": event.code}
            yield {"type": "response.failed", "response": {**self._unfinished("failed"), "error": error}}
            self._over = True
        elif isinstance(event, Completed):
            yield from self._end(event.answer)
            self._over = True

    def _end(self, answer: Answer) -> Iterator[dict[str, Any]]:
        yield from self._text(self._said.finish(answer.text))
        annotations = self._annotations(answer, start=self._said.start)
        for number, annotation in enumerate(annotations):
            yield {
                "type": "response.output_text.annotation.added",
                **self._place,
                "annotation_index": number,
                "annotation": annotation,
            }
        message = self._message(self._said.whole, annotations)
        (part,) = message["content"]
        yield {"type": "response.output_text.done", **self._place, "text": self._said.whole, "logprobs": []}
        yield {"type": "response.content_part.done", **self._place, "part": part}
        yield {"type": "response.output_item.done", "output_index": 0, "item": message}
        yield {"type": "response.completed", "response": self.whole(answer)}

    def _text(self, text: str) -> Iterator[dict[str, Any]]:
        if not self._begun:
            self._begun = True
            message = {**self._message("", []), "status": "in_progress", "content": []}
            yield {"type": "response.output_item.added", "output_index": 0, "item": message}
            yield {"type": "response.content_part.added", **self._place, "part": _part("", [])}
        if text:
            yield {"type": "response.output_text.delta", **self._place, "delta": text, "logprobs": []}

    @property
    def _place(self) -> dict[str, Any]:
        return {"item_id": self._item, "output_index": 0, "content_index": 0}

    def _annotations(self, answer: Answer, *, start: int) -> list[dict[str, Any]]:
        return [{"type": "url_citation", **one} for one in url_citations(answer, self._absolute, start=start)]

    def _message(self, text: str, annotations: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self._item,
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [_part(text, annotations)],
        }

    def _unfinished(self, status: str) -> dict[str, Any]:
        return {**self._frame, "status": status, "output": [], "usage": None}

    def _encoded(self, event: dict[str, Any]) -> bytes:
        numbered = {**event, "sequence_number": self._sent}
        self._sent += 1
        return f"event: {event['type']}\ndata: {json.dumps(numbered, ensure_ascii=False)}\n\n".encode()


_NOTHING_CHOSEN: dict[str, Any] = {
    "error": None,
    "incomplete_details": None,
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": False,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": False,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "none",
    "tools": [],
    "top_p": None,
    "truncation": "disabled",
}
"""What a response says of what may be chosen elsewhere and is decided here by the assistant."""


def usage_of(tokens: Tokens) -> dict[str, Any]:
    return {
        "input_tokens": tokens.input,
        "input_tokens_details": {"cached_tokens": tokens.cache_read, "cache_write_tokens": tokens.cache_write},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens.total,
    }


def _part(text: str, annotations: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}
