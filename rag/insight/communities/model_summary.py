"""A summary by a language model: each sentence names its passage, and is dropped unless the passage bears it out."""

from collections.abc import Sequence

from pydantic import BaseModel

from rag.answering.synthesis.citations import CitationParser
from rag.answering.synthesis.quotes import best_quote
from rag.answering.verification.overlap import source
from rag.answering.verification.support import check_claim
from rag.insight.communities.extracts import MOST, Cited, cited
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.types import Passage

_TOKENS = 900  # six sentences with the JSON around them
_CHARACTERS = 2000  # of each passage


class SummarySentence(BaseModel):
    """`passage` as numbered in the prompt, from 1."""

    text: str
    passage: int


class Summary(BaseModel):
    sentences: list[SummarySentence]


def write_summary(
    label: str, passages: Sequence[Passage], *, language: str, llm: LanguageModel, timeout: float
) -> list[Cited]:
    """At most six sentences that hold, in the model's order; the rules that check an answer check them.

    Raises LLMError, at the latest after `timeout` seconds.
    """
    reply, _ = llm.structured(
        system=render("community", language),
        prompt=_prompt(label, passages),
        schema=Summary,
        max_tokens=_TOKENS,
        timeout=timeout,
    )
    known = [one for one in reply.sentences[:MOST] if 1 <= one.passage <= len(passages) and one.text.strip()]
    pairs = [(_unlinked(one.text), passages[one.passage - 1]) for one in known]
    return [cited(text, passage, best_quote(text, passage)) for text, passage in pairs if _holds(text, passage)]


def _unlinked(text: str) -> str:
    """`text` on one line, without addresses, images and HTML: a document may have had them written."""
    parser = CitationParser(())
    pieces = [*parser.feed(text), *parser.finish()]
    return " ".join("".join(piece for piece in pieces if isinstance(piece, str)).split())


def _holds(text: str, passage: Passage) -> bool:
    return check_claim(text, [(1, source(passage))]).claim.verdict == "supported"


def _prompt(label: str, passages: Sequence[Passage]) -> str:
    shown = "\n".join(_block(number, passage) for number, passage in enumerate(passages, start=1))
    return f"<title>{neutralise(label)}</title>\n{shown}"


def _block(number: int, passage: Passage) -> str:
    heading = " › ".join((passage.title, *passage.heading_path))
    text = passage.text[:_CHARACTERS]
    return f'<passage number="{number}">\n{neutralise(" ".join(heading.split()))}\n{neutralise(text)}\n</passage>'
