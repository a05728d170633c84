"""A language model's opinion on what rules cannot settle: whether a sentence says what its source says."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel

from rag.answering.claims import MARKER
from rag.answering.verification.overlap import CitedSource, nearest
from rag.answering.verification.sentence import Sentence
from rag.answering.verification.support import Checked
from rag.errors import LLMError
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.types import Tokens

log = logging.getLogger("knowledgetree.verification")

MOST_CLAIMS = 20
_CHARACTERS = 8000  # of each passage
_TOKENS_PER_CLAIM = 25  # {"claim": 12, "verdict": "not_covered"}, with room to spare
_TOKENS_AROUND = 100
_VOUCHED = 0.8
"""The support of a claim that the model vouches for and rules do not."""
_DOUBTED = 0.3
"""The support of a claim that the model does not find in the source, at most."""

OpinionVerdict = Literal["supported", "contradicted", "not_covered"]


class Opinion(BaseModel):
    """`claim` as numbered in the prompt, from 1."""

    claim: int
    verdict: OpinionVerdict


class Opinions(BaseModel):
    opinions: list[Opinion]


def second_opinions(
    checked: Sequence[Checked],
    sources: Mapping[int, CitedSource],
    *,
    question: str,
    llm: LanguageModel,
    language: str,
    timeout: float,
) -> tuple[list[Checked], Tokens]:
    """All of `checked`, those that are open with the model's verdict, and what it cost; as they are where it fails."""
    left = [one for one in checked if is_open(one)][:MOST_CLAIMS]
    if not left:
        return list(checked), Tokens()
    try:
        reply, usage = llm.structured(
            system=render("verify", language),
            prompt="\n".join(_blocks(left, sources, question)),
            schema=Opinions,
            max_tokens=_TOKENS_AROUND + _TOKENS_PER_CLAIM * len(left),
            timeout=timeout,
        )
    except LLMError as error:
        log.warning("the model gave no opinion", extra={"fields": {"code": error.code, "error": str(error)}})
        return list(checked), Tokens()
    verdicts = {opinion.claim: opinion.verdict for opinion in reversed(reply.opinions)}
    numbers = {id(one): number for number, one in enumerate(left, start=1)}
    return [_revised(one, verdicts.get(numbers.get(id(one), 0))) for one in checked], usage


def is_open(one: Checked) -> bool:
    """Whether the model is asked: of all claims with a source but those whose source has another value or name.

    Equal words do not say the same: of 99 sentences of a model that were falsified in a word rules called 44 supported.
    """
    settled = one.claim.verdict == "contradicted" and any(
        problem.found and problem.kind != "negation" for problem in one.claim.problems
    )
    return bool(one.claim.citations) and not settled


def _blocks(claims: Sequence[Checked], sources: Mapping[int, CitedSource], question: str) -> Iterator[str]:
    """The question, each passage once, and the claims with the numbers of their passages."""
    yield f"<question>\n{neutralise(question)}\n</question>"
    cited = dict.fromkeys(sources[number] for one in claims for number in one.claim.citations)
    numbers = {source: number for number, source in enumerate(cited, start=1)}
    for source, number in numbers.items():
        citing = [one.claim.text for one in claims if any(sources[cited] is source for cited in one.claim.citations)]
        text = neutralise(f"{source.about}\n{_excerpt(source, citing)}")
        yield f'<passage number="{number}">\n{text}\n</passage>'
    for number, one in enumerate(claims, start=1):
        passages = " ".join(str(numbers[sources[cited]]) for cited in one.claim.citations)
        yield f'<claim number="{number}" passages="{passages}">{neutralise(one.claim.text)}</claim>'


def _excerpt(source: CitedSource, claims: Sequence[str]) -> str:
    """All of a short passage; of a long one what stands around the sentences nearest to each claim."""
    text = source.text
    if len(text) <= _CHARACTERS:
        return text
    reach = _CHARACTERS // (2 * len(claims))
    kept: list[tuple[int, int]] = []
    for place in sorted(_place(claim, source) for claim in claims):
        start, end = max(0, place - reach), min(len(text), place + reach)
        if kept and start <= kept[-1][1]:
            start = kept.pop()[0]
        kept.append((start, end))
    return " … ".join(text[start:end] for start, end in kept)


def _place(claim: str, source: CitedSource) -> int:
    nearby = nearest(Sentence(MARKER.sub("", claim)), source).sentences
    return max(0, source.text.find(nearby[0].text)) if nearby else 0


def _revised(one: Checked, verdict: OpinionVerdict | None) -> Checked:
    claim = one.claim
    if verdict is None or verdict == claim.verdict:
        return one
    if verdict == "supported":
        vouched = replace(claim, verdict=verdict, support=max(claim.support, _VOUCHED), problems=())
        return replace(one, claim=vouched, borne_out=frozenset(claim.citations))
    doubted = replace(claim, verdict=verdict, support=min(claim.support, _DOUBTED))
    return replace(one, claim=doubted, borne_out=frozenset())
