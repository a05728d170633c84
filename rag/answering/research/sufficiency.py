"""Whether what was found is enough for a whole answer, read by a language model after each step of a research."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from knowledgetree.postgres.connections import release_connections
from rag.answering.synthesis.context import render_sources
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.types import Passage, Tokens

_MAX_TOKENS = 300
_MOST = 3
_LONGEST = 200  # characters of a query


class SufficiencyReply(BaseModel):
    enough: bool
    missing: list[str] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Sufficiency:
    """`missing`: at most three queries, none of them searched before; none: nothing is worth another search."""

    missing: tuple[str, ...] = ()
    usage: Tokens = field(default_factory=Tokens)


def judge_sufficiency(
    question: str,
    passages: Sequence[Passage],
    searched: Sequence[str],
    *,
    language: str,
    llm: LanguageModel,
    timeout: float,
) -> Sufficiency:
    """What `llm` misses in `passages`, as they will be read for the answer, after the queries `searched`.

    Raises LLMError, at the latest after `timeout` seconds.
    """
    release_connections()
    reply, usage = llm.structured(
        system=render("sufficiency", language),
        prompt=render(
            "gathered",
            language,
            question=neutralise(question),
            sources=render_sources(passages),
            searched="\n".join(map(neutralise, searched)),
        ),
        schema=SufficiencyReply,
        max_tokens=_MAX_TOKENS,
        timeout=timeout,
    )
    missing = () if reply.enough else tuple(_new(reply.missing, searched))[:_MOST]
    return Sufficiency(missing=missing, usage=usage)


def _new(queries: Iterable[str], searched: Sequence[str]) -> Iterable[str]:
    """Each once, without quotation marks, which would make a filter of what the model only names."""
    seen = {"", *(query.casefold() for query in searched)}
    for query in queries:
        plain = " ".join(query.translate(_QUOTES).split())[:_LONGEST]
        if plain.casefold() not in seen:
            seen.add(plain.casefold())
            yield plain


_QUOTES = str.maketrans(dict.fromkeys('"„”“«»\x00', " "))
