"""Self-RAG's look at a draft: does it answer all of the question, and what would be worth another search.

Asai et al. 2023, Self-RAG, arXiv:2310.11511, with one prompt in place of trained reflection tokens. Whether the
sources bear the draft out is for the verification, which sees all of them: a critic that was shown their beginnings
called 17 of 20 drafts unfounded, nearly all of them complete (docs/prompts.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import BaseModel

from knowledgetree.postgres.connections import release_connections
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.types import Tokens

_MAX_TOKENS = 300
_MOST_QUERIES = 2
_LONGEST_QUERY = 200  # characters


class CritiqueReply(BaseModel):
    good: bool
    missing: list[str] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Critique:
    """`missing`: at most two queries, none equal to the question; only where the draft is not `good`."""

    good: bool
    missing: tuple[str, ...] = ()
    usage: Tokens = field(default_factory=Tokens)


def critique(question: str, answer_text: str, *, language: str, llm: LanguageModel, timeout: float) -> Critique:
    """What `llm` misses in `answer_text` as an answer to the question.

    Raises LLMError, at the latest after `timeout` seconds: the draft then stands as it is.
    """
    release_connections()
    reply, usage = llm.structured(
        system=render("critique", language),
        prompt=render("draft", language, question=neutralise(question), draft=neutralise(answer_text)),
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
