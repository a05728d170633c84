"""One question, one prompt with all passages that fit, one answer."""

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Final

from ingestion.protocols import Analyser
from rag.prompts import prompt_hash, render
from rag.prompts.untrusted import neutralise
from rag.protocols import LanguageModel, Reply, Synthesis
from rag.synthesis.citations import CitationParser
from rag.synthesis.context import pack, render_sources
from rag.synthesis.refusal import REFUSAL, RefusalFilter
from rag.types import Citation, Passage

PROMPT_LANGUAGES: Final = ("pl", "en")


class CompactSynthesizer:
    """Implements `rag.protocols.Synthesizer` with one call to the model.

    `max_tokens` bounds the answer; `source_tokens` bounds the passages in the prompt (estimated).
    """

    def __init__(
        self, *, llm: LanguageModel, analyser: Analyser, max_tokens: int = 1000, source_tokens: int = 6000
    ) -> None:
        self._llm = llm
        self._analyser = analyser
        self._max_tokens = max_tokens
        self._source_tokens = source_tokens

    def synthesize(self, question: str, passages: Sequence[Passage], *, language: str) -> "CompactDraft":
        """See `rag.protocols.Synthesizer`. Raises LLMError while the draft is iterated."""
        packed = pack(passages, max_tokens=self._source_tokens)
        template = language if language in PROMPT_LANGUAGES else "en"
        reply = self._llm.stream(
            system=render("answer", template, refusal=REFUSAL),
            prompt=render(
                "sources",
                template,
                sources=render_sources(packed),
                question=neutralise(question),
                refusal=REFUSAL,
            ),
            max_tokens=self._max_tokens,
        )
        return CompactDraft(
            reply=reply,
            passages=packed,
            analyser=self._analyser,
            model=self._llm.name,
            prompt=f"{prompt_hash('answer', template)}-{prompt_hash('sources', template)}",
        )


class CompactDraft:
    """Implements `rag.protocols.Draft`. Without passages the model is not asked: nothing is found."""

    def __init__(
        self, *, reply: Reply, passages: Sequence[Passage], analyser: Analyser, model: str, prompt: str
    ) -> None:
        self._reply = reply
        self._passages = passages
        self._model = model
        self._prompt = prompt
        self._refusal = RefusalFilter()
        self._parser = CitationParser(passages, analyser)

    def __iter__(self) -> Generator[str | Citation, None, None]:
        if not self._passages:
            return
        with closing(iter(self._reply)) as pieces:
            for piece in pieces:
                yield from self._parser.feed(self._refusal.feed(piece))
        yield from self._parser.feed(self._refusal.finish())
        yield from self._parser.finish()

    @property
    def result(self) -> Synthesis:
        """`found` is False for a refusal without citations: words around it, if any, are taken back."""
        refused = self._refusal.seen and not self._parser.citations
        found = not refused and bool(self._parser.text.strip())
        return Synthesis(
            text=self._parser.text if found else "",
            citations=tuple(self._parser.citations),
            found=found,
            truncated=self._reply.truncated,
            removed_citations=self._parser.removed,
            usage=self._reply.usage,
            model=self._model if self._passages else "",
            prompt_hash=self._prompt if self._passages else "",
            passages_used=len(self._passages),
        )
