"""Replies of a real model, kept beside what it was asked: played again by the test server, so that each step meets one.

A file is a prompt's; a line of it is a case: `input` for `tests.rag.llm.recordings.steps`, which asks the product, and
what came of it. `python -m tests.rag.llm.recordings` records cases that are new or whose prompts have changed.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from rag.llm.prompts import prompt_hash
from tests.messages_server import Request, Turn

FOLDER = Path(__file__).parent
_TODAY = re.compile(r"(?:Dzisiaj jest|Today is) \d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request, as `fingerprint` has it, and the text of the reply."""

    request: str
    reply: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One case of a step. `prompts` are the hashes of the templates it was asked with, by "name.language"; `date` is
    the day and `model` says, in words, who replied. Not recorded yet: there are no `exchanges`.
    """

    name: str
    input: Mapping[str, Any]
    exchanges: tuple[Exchange, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)
    date: str = ""
    model: str = ""

    @property
    def outdated(self) -> tuple[str, ...]:
        """The prompts that have changed since."""
        return tuple(name for name, known in self.prompts.items() if prompt_hash(*name.split(".")) != known)

    @classmethod
    def read(cls, line: str) -> Self:
        values = json.loads(line)
        exchanges = tuple(Exchange(**exchange) for exchange in values.pop("exchanges", ()))
        return cls(**values, exchanges=exchanges)


def read_recordings(prompt: str) -> list[Recording]:
    return [Recording.read(line) for line in _file(prompt).read_text(encoding="utf-8").splitlines()]


def write_recordings(prompt: str, recordings: Iterable[Recording]) -> None:
    lines = [json.dumps(asdict(recording), ensure_ascii=False) + "\n" for recording in recordings]
    _file(prompt).write_text("".join(lines), encoding="utf-8")


def recorded_prompts() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def fingerprint(request: Request) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of all that is said to the model, whatever day it is."""
    said = [request.system, *(f"{message['role']}: {message['content']}" for message in request.body["messages"])]
    return hashlib.sha256(_TODAY.sub("", "\n".join(said)).encode()).hexdigest()[:16]


class Replay:
    """Chooses the turns of a `MessagesServer`: the recorded reply, or an error that names a request that has none."""

    def __init__(self, recording: Recording) -> None:
        self._replies = {exchange.request: exchange.reply for exchange in recording.exchanges}

    def __call__(self, request: Request) -> Turn:
        reply = self._replies.get(fingerprint(request))
        if reply is None:
            message = f"there is no recorded reply to request {fingerprint(request)}"
            return Turn(status=404, error_type="not_found_error", message=message)
        return Turn(pieces=(reply,))


def _file(prompt: str) -> Path:
    return FOLDER / f"{prompt}.jsonl"
