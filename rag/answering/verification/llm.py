"""A language model's opinion on the claims whose words their sources lack: a paraphrase, or an invention?"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel

from rag.answering.verification.overlap import CitedSource
from rag.answering.verification.support import Checked
from rag.errors import LLMError
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.types import Tokens

log = logging.getLogger("knowledgetree.verification")

MOST_CLAIMS = 10
_CHARACTERS = 8000  # of each passage: a whole section, or a small document
_TOKENS_PER_CLAIM = 25  # {"claim": 12, "verdict": "not_covered"}, with room to spare
_TOKENS_AROUND = 100
_SUPPORT = 0.8  # of a claim that only the model vouches for


class Opinion(BaseModel):
    """`claim` as numbered in the prompt, from 1."""

    claim: int
    verdict: Literal["supported", "contradicted", "not_covered"]


class Opinions(BaseModel):
    opinions: list[Opinion]


def second_opinions(
    checked: Sequence[Checked], sources: Mapping[int, CitedSource], *, llm: LanguageModel, language: str, timeout: float
) -> tuple[list[Checked], Tokens]:
    """All of `checked`, those in doubt with the model's verdict, and what it cost; as they are where the model fails.

    Only wording is in doubt: a number, date or name that a source lacks, no opinion can put there.
    """
    doubtful = [one for one in checked if in_doubt(one)][:MOST_CLAIMS]
    if not doubtful:
        return list(checked), Tokens()
    try:
        reply, usage = llm.structured(
            system=render("verify", language),
            prompt="\n".join(_block(number, one, sources) for number, one in enumerate(doubtful, start=1)),
            schema=Opinions,
            max_tokens=_TOKENS_AROUND + _TOKENS_PER_CLAIM * len(doubtful),
            timeout=timeout,
        )
    except LLMError as error:
        log.warning("the model gave no opinion", extra={"fields": {"code": error.code, "error": str(error)}})
        return list(checked), Tokens()
    verdicts = {opinion.claim: opinion.verdict for opinion in reversed(reply.opinions)}
    numbers = {id(one): number for number, one in enumerate(doubtful, start=1)}
    return [_revised(one, verdicts.get(numbers.get(id(one), 0))) for one in checked], usage


def in_doubt(one: Checked) -> bool:
    """Whether nothing but words speaks against the claim, or nobody compared them."""
    claim = one.claim
    by_words = claim.verdict == "not_covered" and all(problem.kind == "words" for problem in claim.problems)
    return by_words or claim.verdict == "unchecked"


def _block(number: int, one: Checked, sources: Mapping[int, CitedSource]) -> str:
    texts = dict.fromkeys(
        f"{sources[cited].about}\n{sources[cited].text[:_CHARACTERS]}" for cited in one.claim.citations
    )
    passages = "\n".join(f"<passage>\n{neutralise(text)}\n</passage>" for text in texts)
    return f'{passages}\n<claim number="{number}">{neutralise(one.claim.text)}</claim>'


def _revised(one: Checked, verdict: Literal["supported", "contradicted", "not_covered"] | None) -> Checked:
    if verdict is None:
        return one
    if verdict != "supported":
        support = 0.0 if one.claim.verdict == "unchecked" else one.claim.support
        return replace(one, claim=replace(one.claim, verdict=verdict, support=support))
    claim = replace(one.claim, verdict=verdict, support=max(one.claim.support, _SUPPORT), problems=())
    return replace(one, claim=claim, borne_out=frozenset(one.claim.citations))
