"""An answer from the first passages, refined with the next ones as long as there are any."""

from collections.abc import Generator, Sequence
from contextlib import closing

from rag.answering.synthesis.answer_prompts import AnswerPrompts
from rag.answering.synthesis.context import batches
from rag.answering.synthesis.draft import CitedDraft
from rag.answering.synthesis.refusal import REFUSAL, RefusalFilter
from rag.llm.protocol import LanguageModel, Reply
from rag.question import Background
from rag.types import Passage, Tokens

MAX_BATCHES = 4


class RefineSynthesizer:
    """Implements `Synthesizer` with a call for each batch of passages; the last one streams.

    `source_tokens` bounds the passages of one prompt (estimated); at most MAX_BATCHES are read.
    """

    def __init__(
        self,
        *,
        llm: LanguageModel,
        max_tokens: int = 1000,
        source_tokens: int = 2000,
    ) -> None:
        self._llm = llm
        self._max_tokens = max_tokens
        self._source_tokens = source_tokens

    def synthesize(
        self, question: str, passages: Sequence[Passage], *, language: str, background: Background | None = None
    ) -> CitedDraft:
        """See `rag.answering.synthesis.protocol.Synthesizer`. Raises LLMError while the draft is iterated."""
        read = batches(passages, max_tokens=self._source_tokens)[:MAX_BATCHES]
        prompts = AnswerPrompts(
            llm=self._llm, question=question, language=language, background=background, max_tokens=self._max_tokens
        )
        return CitedDraft(
            reply=RefinedReply(prompts, read),
            passages=[passage for batch in read for passage in batch],
            model=self._llm.name,
            searched=background.searched if background else "",
            prompt=prompts.hash("answer", "sources", "refine"),
        )


class RefinedReply:
    """Implements `rag.llm.protocol.Reply`; numbers of sources count through all batches.

    While a draft is written it yields "". A batch that brings nothing leaves the draft as it is.
    """

    def __init__(self, prompts: AnswerPrompts, read: Sequence[Sequence[Passage]]) -> None:
        self._prompts = prompts
        self._read = read
        self._draft = ""
        self._spent = Tokens()
        self._reply: Reply | None = None

    @property
    def usage(self) -> Tokens:
        return self._spent + (self._reply.usage if self._reply else Tokens())

    @property
    def truncated(self) -> bool:
        return self._reply is not None and self._reply.truncated

    def __iter__(self) -> Generator[str, None, None]:
        first = 1
        for batch in self._read[:-1]:
            yield from self._drafted(batch, first)
            first += len(batch)
        yield from self._finished(self._read[-1], first)

    def _drafted(self, batch: Sequence[Passage], first: int) -> Generator[str, None, None]:
        pieces = []
        for piece in self._asked(batch, first):
            pieces.append(piece)
            yield ""
        text = "".join(pieces).strip()
        self._draft = self._draft if REFUSAL in text else text

    def _finished(self, batch: Sequence[Passage], first: int) -> Generator[str, None, None]:
        """The last answer as it comes; the draft, where this batch brings nothing."""
        if not self._draft:
            yield from self._asked(batch, first)
            return
        refusal = RefusalFilter()
        for piece in self._asked(batch, first):
            if shown := refusal.feed(piece):
                yield shown
        yield self._draft if refusal.refused else refusal.finish()

    def _asked(self, batch: Sequence[Passage], first: int) -> Generator[str, None, None]:
        self._spent = self.usage
        draft = self._draft
        self._reply = self._prompts.refined(draft, batch, first=first) if draft else None
        self._reply = self._reply or self._prompts.from_sources(batch, first=first)
        with closing(iter(self._reply)) as pieces:
            yield from pieces
