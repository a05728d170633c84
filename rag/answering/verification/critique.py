"""Self-RAG's look at a draft: does it answer the question from its passages, and what would be worth another search.

Asai et al. 2023, Self-RAG, arXiv:2310.11511, with one prompt in place of trained reflection tokens.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from knowledgetree.postgres.connections import release_connections
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.types import Passage, Tokens

_MAX_TOKENS = 300
_MOST_QUERIES = 3
_LONGEST_QUERY = 200  # characters
_PASSAGES = 8
_LONGEST_PASSAGE = 1200  # characters


class CritiqueReply(BaseModel):
    good: bool
    missing: list[str] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Critique:
    """`missing`: at most three queries, none equal to the question; only where the draft is not `good`."""

    good: bool
    missing: tuple[str, ...] = ()
    usage: Tokens = field(default_factory=Tokens)


def critique(
    question: str, answer_text: str, passages: Sequence[Passage], *, language: str, llm: LanguageModel, timeout: float
) -> Critique:
    """What `llm` thinks of `answer_text` as an answer from `passages`, of which it is shown the first eight.

    Raises LLMError, at the latest after `timeout` seconds: the draft then stands as it is.
    """
    shown = "\n".join(_block(number, passage) for number, passage in enumerate(passages[:_PASSAGES], start=1))
    release_connections()
    reply, usage = llm.structured(
        system=render("critique", language),
        prompt=render("draft", language, passages=shown, question=neutralise(question), draft=neutralise(answer_text)),
        schema=CritiqueReply,
        max_tokens=_MAX_TOKENS,
        timeout=timeout,
    )
    missing = () if reply.good else tuple(_worth_searching(reply.missing, question))[:_MOST_QUERIES]
    return Critique(good=reply.good, missing=missing, usage=usage)


def _worth_searching(queries: Iterable[str], question: str) -> Iterable[str]:
    seen = {"", question.casefold()}
    for query in queries:
        plain = " ".join(query.replace('"', " ").split())[:_LONGEST_QUERY]
        if plain.casefold() not in seen:
            seen.add(plain.casefold())
            yield plain


def _block(number: int, passage: Passage) -> str:
    heading = " › ".join((passage.title, *passage.heading_path))
    text = neutralise(passage.text[:_LONGEST_PASSAGE])
    return f'<passage number="{number}">\n{neutralise(" ".join(heading.split()))}\n{text}\n</passage>'
