"""What a model writes, on its way to the reader: without refusals, its citations made ours."""

from collections.abc import Generator, Sequence
from contextlib import closing

from rag.answering.claims import MARKER
from rag.answering.synthesis.citation_blocks import LocatedText
from rag.answering.synthesis.citations import CitationParser
from rag.answering.synthesis.protocol import Synthesis
from rag.answering.synthesis.refusal import RefusalFilter
from rag.llm.protocol import LocatingReply
from rag.types import Citation, Passage


class CitedDraft:
    """Implements `rag.answering.synthesis.protocol.Draft`. Without passages the model is not asked: nothing is found.

    The model calls its sources by their place in `passages`: as `[n]`, counted from 1, or by locating quotes.
    `searched` is the question in the language of the passages, where the answer is in another: what is quoted is then
    looked for by its words too.
    """

    def __init__(
        self, *, reply: LocatingReply, passages: Sequence[Passage], model: str, prompt: str, searched: str = ""
    ) -> None:
        self._reply = reply
        self._passages = passages
        self._model = model
        self._prompt = prompt
        self._refusal = RefusalFilter()
        self._parser = CitationParser(passages, searched=searched)
        self._located = LocatedText(passages, self._parser)

    def __iter__(self) -> Generator[str | Citation, None, None]:
        if not self._passages:
            return
        with closing(iter(self._reply)) as pieces:
            for piece in pieces:
                if piece == "":
                    yield ""
                yield from self._parser.feed(self._refusal.feed(self._located.feed(piece)))
        yield from self._parser.feed(self._refusal.feed(self._located.finish()) + self._refusal.finish())
        yield from self._parser.finish()

    @property
    def result(self) -> Synthesis:
        """`found` is False for a refusal without citations: words around it, if any, are taken back."""
        refused = self._refusal.seen and not self._parser.citations
        found = not refused and bool(MARKER.sub("", self._parser.text).strip())
        return Synthesis(
            text=self._parser.text if found else "",
            citations=tuple(self._parser.citations) if found else (),
            found=found,
            truncated=self._reply.truncated,
            removed_citations=self._parser.removed,
            usage=self._reply.usage,
            model=self._model if self._passages else "",
            prompt_hash=self._prompt if self._passages else "",
            passages_used=len(self._passages),
        )
