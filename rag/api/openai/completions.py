"""An answer as a chat completion, whole or in chunks."""

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

from rag.api.openai.problems import error_body
from rag.api.openai.said_text import SaidText
from rag.api.openai.url_citations import Absolute, address_of, judged, renumbered, url_citations
from rag.events import AnswerDelta, Completed, DraftRevised, Event, Failed
from rag.types import Answer, Citation, Tokens

_DONE = b"data: [DONE]\n\n"


class Completion:
    """One reply. `model` is echoed; `absolute` makes links; with `events` citations come as Open WebUI reads them,
    as `source` events with their quote, otherwise as `url_citation` annotations: a client shows one kind.
    `numbered_from` is the number of the first.
    """

    def __init__(
        self, *, model: str, absolute: Absolute, events: bool = False, usage: bool = False, numbered_from: int = 1
    ) -> None:
        self._frame = {"id": f"chatcmpl-{uuid4().hex}", "created": int(time.time()), "model": model}
        self._absolute = absolute
        self._events = events
        self._usage = usage
        self._numbered_from = numbered_from
        self._said = SaidText()

    def whole(self, answer: Answer) -> dict[str, Any]:
        answer = renumbered(answer, self._numbered_from)
        said = {"role": "assistant", "content": answer.text, "refusal": None, "annotations": self._annotations(answer)}
        return {
            **self._frame,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": said, "finish_reason": "stop", "logprobs": None}],
            "usage": usage_of(answer.metrics.tokens),
            "knowledgetree": judged(answer),
        }

    def encode(self, event: Event) -> bytes:
        """The chunks that tell of `event`."""
        return b"".join(map(_message, self._chunks(event))) + (_DONE if isinstance(event, Completed | Failed) else b"")

    def _chunks(self, event: Event) -> Iterator[dict[str, Any]]:
        if isinstance(event, AnswerDelta | DraftRevised) and self._numbered_from > 1:
            return  # a number may come in two pieces: with other numbers an answer is said whole
        if isinstance(event, AnswerDelta):
            yield from self._text(self._said.add(event.text))
        elif isinstance(event, DraftRevised):
            yield from self._text(self._said.begin_anew())
        elif isinstance(event, Failed):
            said = " ".join(filter(None, [event.message, event.remedy]))
            yield error_body(said, status=500, code=event.code)
        elif isinstance(event, Completed):
            yield from self._end(event.answer)

    def _end(self, answer: Answer) -> Iterator[dict[str, Any]]:
        answer = renumbered(answer, self._numbered_from)
        yield from self._text(self._said.finish(answer.text))
        if self._events:
            for citation in answer.citations:
                yield self._chunk({}, choices=False, event={"type": "source", "data": self._source(citation)})
            yield self._chunk({}, finish="stop", knowledgetree=judged(answer))
        else:
            annotations = self._annotations(answer, start=self._said.start)
            last = {"annotations": annotations} if annotations else {}
            yield self._chunk(last, finish="stop", knowledgetree=judged(answer))
        if self._usage:
            yield self._chunk({}, choices=False, usage=usage_of(answer.metrics.tokens))

    def _text(self, text: str) -> Iterator[dict[str, Any]]:
        """`text` is the end of what was said."""
        if text:
            begun = {} if len(self._said.whole) > len(text) else {"role": "assistant"}
            yield self._chunk({**begun, "content": text})

    def _chunk(
        self, delta: dict[str, Any], *, finish: str | None = None, choices: bool = True, **more: Any
    ) -> dict[str, Any]:
        chosen = [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}] if choices else []
        return {**self._frame, "object": "chat.completion.chunk", "choices": chosen, **more}

    def _annotations(self, answer: Answer, *, start: int = 0) -> list[dict[str, Any]]:
        cited = url_citations(answer, self._absolute, start=start)
        return [{"type": "url_citation", "url_citation": citation} for citation in cited]

    def _source(self, citation: Citation) -> dict[str, Any]:
        """As Open WebUI reads it, which counts what differs in `metadata.source` as one source and `[n]` as its place.

        An address there would be shown in place of the title, and each reader's browser would ask a company outside
        for the icon of that address. `url` is the link of version 0.12, `source_url` that of later ones.
        """
        address = address_of(citation, self._absolute)
        return {
            "source": {"name": citation.title, "url": address},
            "document": [citation.quote],
            "metadata": [
                {"source": f"{citation.title} [{citation.number}]", "name": citation.title, "source_url": address}
            ],
        }


def said_at_once(text: str) -> Iterable[Event]:
    """The events of a reply for which nothing was looked up."""
    yield Completed(answer=Answer(question="", text=text, outcome="direct", language="pl"))


def usage_of(tokens: Tokens) -> dict[str, int]:
    return {"prompt_tokens": tokens.input, "completion_tokens": tokens.output, "total_tokens": tokens.total}


def _message(chunk: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()
