"""An answer as a chat completion, whole or in chunks."""

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from uuid import uuid4

from rag.api.openai.problems import error_body
from rag.events import AnswerDelta, Completed, DraftRevised, Event, Failed
from rag.types import Answer, Citation, Tokens

Absolute = Callable[[str], str]
"""An address of this site as others reach it."""

_MARK = re.compile(r"\[(\d+)\]")
_DONE = b"data: [DONE]\n\n"


class Completion:
    """One reply. `model` is echoed; `absolute` makes links; with `events` citations come as Open WebUI reads them,
    as `source` events with their quote, otherwise as `url_citation` annotations: a client shows one kind.
    """

    def __init__(self, *, model: str, absolute: Absolute, events: bool = False, usage: bool = False) -> None:
        self._frame = {"id": f"chatcmpl-{uuid4().hex}", "created": int(time.time()), "model": model}
        self._absolute = absolute
        self._events = events
        self._usage = usage
        self._sent = ""

    def whole(self, answer: Answer) -> dict[str, Any]:
        said = {"role": "assistant", "content": answer.text, "refusal": None, "annotations": self._annotations(answer)}
        return {
            **self._frame,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": said, "finish_reason": "stop", "logprobs": None}],
            "usage": usage_of(answer.metrics.tokens),
            "knowledgetree": _judged(answer),
        }

    def encode(self, event: Event) -> bytes:
        """The chunks that tell of `event`. Words that were sent cannot be taken back: a better draft follows them."""
        return b"".join(map(_message, self._chunks(event))) + (_DONE if isinstance(event, Completed | Failed) else b"")

    def _chunks(self, event: Event) -> Iterator[dict[str, Any]]:
        if isinstance(event, AnswerDelta):
            yield self._text(event.text)
        elif isinstance(event, DraftRevised) and self._sent:
            yield self._text("\n\n---\n\n")
            self._sent = ""
        elif isinstance(event, Failed):
            said = " ".join(filter(None, [event.message, event.remedy]))
            yield error_body(said, status=500, code=event.code)
        elif isinstance(event, Completed):
            yield from self._end(event.answer)

    def _end(self, answer: Answer) -> Iterator[dict[str, Any]]:
        if not answer.text.startswith(self._sent):
            yield self._text("\n\n---\n\n")
            self._sent = ""
        if rest := answer.text[len(self._sent) :]:
            yield self._text(rest)
        if self._events:
            for citation in answer.citations:
                yield self._chunk({}, choices=False, event={"type": "source", "data": self._source(citation)})
            yield self._chunk({}, finish="stop", knowledgetree=_judged(answer))
        else:
            annotations = self._annotations(answer)
            last = {"annotations": annotations} if annotations else {}
            yield self._chunk(last, finish="stop", knowledgetree=_judged(answer))
        if self._usage:
            yield self._chunk({}, choices=False, usage=usage_of(answer.metrics.tokens))

    def _text(self, text: str) -> dict[str, Any]:
        begun = {} if self._sent else {"role": "assistant"}
        self._sent += text
        return self._chunk({**begun, "content": text})

    def _chunk(
        self, delta: dict[str, Any], *, finish: str | None = None, choices: bool = True, **more: Any
    ) -> dict[str, Any]:
        chosen = [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}] if choices else []
        return {**self._frame, "object": "chat.completion.chunk", "choices": chosen, **more}

    def _annotations(self, answer: Answer) -> list[dict[str, Any]]:
        """One for each `[n]` in the text; `quote` is more than the API asks for."""
        cited = {citation.number: citation for citation in answer.citations}
        return [
            {
                "type": "url_citation",
                "url_citation": {
                    "start_index": mark.start(),
                    "end_index": mark.end(),
                    "title": citation.title,
                    "url": self._address(citation),
                    "quote": citation.quote,
                },
            }
            for mark in _MARK.finditer(answer.text)
            if (citation := cited.get(int(mark.group(1))))
        ]

    def _source(self, citation: Citation) -> dict[str, Any]:
        address = self._address(citation)
        return {
            "source": {"name": citation.title, "url": address},
            "document": [citation.quote],
            "metadata": [{"source": address, "name": citation.title}],
        }

    def _address(self, citation: Citation) -> str:
        return self._absolute(citation.url) if citation.url else citation.uri


def said_at_once(text: str) -> Iterable[Event]:
    """The events of a reply for which nothing was looked up."""
    yield Completed(answer=Answer(question="", text=text, outcome="direct", language="pl"))


def usage_of(tokens: Tokens) -> dict[str, int]:
    return {"prompt_tokens": tokens.input, "completion_tokens": tokens.output, "total_tokens": tokens.total}


def _judged(answer: Answer) -> dict[str, Any]:
    return {"outcome": answer.outcome, "confidence": round(answer.confidence, 3)}


def _message(chunk: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()
