"""One question, one prompt with all passages that fit, one answer."""

from collections.abc import Generator, Sequence
from contextlib import closing

from rag.answering.synthesis.answer_prompts import AnswerPrompts
from rag.answering.synthesis.context import pack
from rag.answering.synthesis.draft import CitedDraft
from rag.errors import CitationsUnsupported
from rag.llm.protocol import LanguageModel, LocatingReply
from rag.question import Background
from rag.types import Located, Passage, Tokens


class CompactSynthesizer:
    """Implements `rag.answering.synthesis.protocol.Synthesizer` with one call to the model.

    `max_tokens` bounds the answer; `source_tokens` bounds the passages in the prompt (estimated).
    """

    def __init__(self, *, llm: LanguageModel, max_tokens: int = 1000, source_tokens: int = 6000) -> None:
        self._llm = llm
        self._max_tokens = max_tokens
        self._source_tokens = source_tokens

    def synthesize(
        self, question: str, passages: Sequence[Passage], *, language: str, background: Background | None = None
    ) -> CitedDraft:
        """See `rag.answering.synthesis.protocol.Synthesizer`. Raises LLMError while the draft is iterated."""
        packed = pack(passages, max_tokens=self._source_tokens)
        prompts = AnswerPrompts(
            llm=self._llm, question=question, language=language, background=background, max_tokens=self._max_tokens
        )
        locates = self._llm.locates
        return CitedDraft(
            reply=LocatedElseNumbered(prompts, packed) if locates else prompts.from_sources(packed),
            passages=packed,
            model=self._llm.name,
            searched=background.searched if background else "",
            prompt=prompts.hash("located_answer", "located") if locates else prompts.hash("answer", "sources"),
        )


class LocatedElseNumbered:
    """Implements `rag.llm.protocol.LocatingReply`: asks again with numbered sources where quotes cannot be located."""

    def __init__(self, prompts: AnswerPrompts, passages: Sequence[Passage]) -> None:
        self._prompts = prompts
        self._passages = passages
        self._reply: LocatingReply = prompts.located(passages)

    def __iter__(self) -> Generator[str | Located, None, None]:
        try:
            yield from self._pieces()
        except CitationsUnsupported:
            self._reply = self._prompts.from_sources(self._passages)
            yield from self._pieces()

    def _pieces(self) -> Generator[str | Located, None, None]:
        with closing(iter(self._reply)) as pieces:
            yield from pieces

    @property
    def usage(self) -> Tokens:
        return self._reply.usage

    @property
    def truncated(self) -> bool:
        return self._reply.truncated
