"""Partial answers from up to four passages each, written at the same time, and one answer made of them."""

import logging
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Future, wait
from contextlib import closing
from functools import partial

from rag.answering.synthesis.answer_prompts import AnswerPrompts
from rag.answering.synthesis.context import batches
from rag.answering.synthesis.draft import CitedDraft
from rag.answering.synthesis.refusal import REFUSAL
from rag.errors import LLMError
from rag.llm.deadline import aside, late, whole_text
from rag.llm.protocol import LanguageModel, Reply
from rag.question import Background
from rag.types import Passage, Tokens

log = logging.getLogger("knowledgetree.ask")

BATCH = 4
MAX_BATCHES = 8
NOTE_TOKENS = 400
_GLANCE = 0.2  # seconds between two looks whether the reader is still there


class TreeSynthesizer:
    """Implements `Synthesizer`: at most MAX_BATCHES partial answers, then one that streams.

    `source_tokens` bounds the passages of one partial answer (estimated); together these may take `seconds`.
    """

    def __init__(
        self,
        *,
        llm: LanguageModel,
        max_tokens: int = 1000,
        source_tokens: int = 2000,
        seconds: float = 30.0,
    ) -> None:
        self._llm = llm
        self._max_tokens = max_tokens
        self._source_tokens = source_tokens
        self._seconds = seconds

    def synthesize(
        self, question: str, passages: Sequence[Passage], *, language: str, background: Background | None = None
    ) -> CitedDraft:
        """See `rag.answering.synthesis.protocol.Synthesizer`. Raises LLMError while the draft is iterated."""
        read = batches(passages, max_tokens=self._source_tokens, most=BATCH)[:MAX_BATCHES]
        prompts = AnswerPrompts(
            llm=self._llm, question=question, language=language, background=background, max_tokens=self._max_tokens
        )
        return CitedDraft(
            reply=TreeReply(prompts, read, seconds=self._seconds),
            passages=[passage for batch in read for passage in batch],
            model=self._llm.name,
            searched=background.searched if background else "",
            prompt=prompts.hash("answer", "sources", "summary"),
        )


class TreeReply:
    """Implements `rag.llm.protocol.Reply`; numbers of sources count through all batches.

    While partial answers are written it yields "". One that is late or fails is left out, as long as there is another.
    """

    def __init__(self, prompts: AnswerPrompts, read: Sequence[Sequence[Passage]], *, seconds: float) -> None:
        self._prompts = prompts
        self._read = read
        self._seconds = seconds
        self._replies: list[Reply] = []

    @property
    def usage(self) -> Tokens:
        return sum((reply.usage for reply in self._replies), start=Tokens())

    @property
    def truncated(self) -> bool:
        return bool(self._replies) and self._replies[-1].truncated

    def __iter__(self) -> Generator[str, None, None]:
        if len(self._read) == 1:
            yield from self._streamed(self._prompts.from_sources(self._read[0]))
            return
        notes = yield from self._notes()
        if len(notes) > 1:
            yield from self._streamed(self._prompts.summary(notes))
        else:
            yield notes[0] if notes else REFUSAL

    def _streamed(self, reply: Reply) -> Generator[str, None, None]:
        self._replies.append(reply)
        with closing(iter(reply)) as pieces:
            yield from pieces

    def _notes(self) -> Generator[str, None, list[str]]:
        """The partial answers, in order, without those that found nothing."""
        first = 1
        for batch in self._read:
            self._replies.append(self._prompts.from_sources(batch, first=first, max_tokens=NOTE_TOKENS))
            first += len(batch)
        gone = threading.Event()
        deadline = time.monotonic() + self._seconds
        begun = [aside(partial(whole_text, reply, abandoned=gone.is_set), deadline) for reply in self._replies]
        try:
            while wait(begun, timeout=_GLANCE).not_done and time.monotonic() < deadline:
                yield ""
        finally:
            gone.set()
        return [note for note in _written(begun) if REFUSAL not in note]


def _written(begun: Sequence[Future[str]]) -> list[str]:
    """What was written. Raises LLMError where nothing was."""
    errors = [future.exception() if future.done() else late() for future in begun]
    for error in errors:
        if error is not None and not isinstance(error, LLMError):
            raise error
    written = [future.result() for future, error in zip(begun, errors, strict=True) if error is None]
    failed = [error for error in errors if error is not None]
    if failed and not written:
        raise failed[0]
    if failed:
        log.warning("partial answers are missing", extra={"fields": {"missing": len(failed), "of": len(begun)}})
    return written
