"""The entry: an answer, its citations and passages in; what holds, what does not, and how far to trust it out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rag.answering.claims import MARKER, split_claims, uncited_claims
from rag.answering.verification.cleared import without_cleared
from rag.answering.verification.confidence import confidence, confidence_parts
from rag.answering.verification.contradictions import find_contradictions
from rag.answering.verification.foreign import in_polish_terms
from rag.answering.verification.llm import second_opinions
from rag.answering.verification.overlap import CitedSource, source, source_of
from rag.answering.verification.response import check_response
from rag.answering.verification.sentence import Sentence
from rag.answering.verification.support import Checked, check_claim
from rag.llm.protocol import LanguageModel
from rag.types import CheckedClaim, Citation, Passage, Tokens, Verification
from rag.understanding.language import question_language

MOST_PASSAGES = 8
"""Compared with each other: the cited ones, then the best of the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A verification and what it cost: `usage` of the language model."""

    verification: Verification
    usage: Tokens = field(default_factory=Tokens)


class Verifier:
    """One instance serves all threads. `llm` is asked about what rules cannot settle, within `timeout` seconds."""

    def __init__(self, *, llm: LanguageModel | None = None, timeout: float = 10.0) -> None:
        self._llm = llm
        self._timeout = timeout

    def verify(
        self,
        question: str,
        text: str,
        citations: Sequence[Citation],
        passages: Sequence[Passage],
        *,
        language: str,
        quality: str = "",
    ) -> Verified:
        """`question` is worded as it was searched, `text` in `language` carries `[n]`, `citations` are those of its
        numbers, `quality` is that of the retrieval. The confidence is that in a model's answer: those of rules have a
        judge (`rag.answering.judgement`).

        Raises nothing of the model's: its failure leaves the verdicts of the rules.
        """
        read = [(passage, source(passage)) for passage in passages]
        sources = {citation.number: source_of(citation, read) for citation in citations}
        spoken = question_language(text, language)
        checked = list(_checked(text, sources, question=question, language=spoken))
        usage = Tokens()
        if self._llm is not None:
            checked, usage = second_opinions(
                checked, sources, question=question, llm=self._llm, language=language, timeout=self._timeout
            )
        verification = self._concluded(question, text, citations, read, checked, sources, language, quality)
        return Verified(verification=verification, usage=usage)

    def _concluded(
        self,
        question: str,
        text: str,
        citations: Sequence[Citation],
        read: Sequence[tuple[Passage, CitedSource]],
        checked: Sequence[Checked],
        sources: Mapping[int, CitedSource],
        language: str,
        quality: str,
    ) -> Verification:
        asked = Sentence(question)
        claims = tuple(one.claim for one in checked)
        contradictions = without_cleared(find_contradictions(_compared(read, citations), question=asked))
        parts = confidence_parts(
            question=asked,
            answer=Sentence(in_polish_terms(text, question_language(text, language))),
            citations=citations,
            sources=list(dict.fromkeys(sources.values())),
            claims=claims,
            contradictions=contradictions,
            quality=quality,
        )
        checks = check_response(
            question=asked,
            answer=Sentence(text),
            citations=citations,
            claims=claims,
            language=language,
        )
        return Verification(
            claims=claims,
            contradictions=contradictions,
            confidence=confidence(parts),
            confidence_parts=parts,
            checks=checks,
            citation_precision=_precision(checked),
        )


def _checked(text: str, sources: Mapping[int, CitedSource], *, question: str, language: str) -> Iterator[Checked]:
    uncited = set(uncited_claims(text))
    for claim in split_claims(text):
        numbers = dict.fromkeys(int(marker.group()[1:-1]) for marker in MARKER.finditer(claim))
        cited = [(number, sources[number]) for number in numbers if number in sources]
        if cited:
            yield check_claim(claim, cited, question=question, language=language)
        elif numbers or claim in uncited:
            yield Checked(claim=CheckedClaim(text=claim, verdict="uncited"))


def _precision(checked: Sequence[Checked]) -> float:
    shown = sum(len(one.claim.citations) for one in checked)
    return sum(len(one.borne_out) for one in checked) / shown if shown else 1.0


def _compared(
    read: Sequence[tuple[Passage, CitedSource]], citations: Sequence[Citation]
) -> list[tuple[Passage, CitedSource]]:
    cited = {citation.chunk_id for citation in citations}
    return sorted(read, key=lambda one: one[0].chunk_id not in cited)[:MOST_PASSAGES]
