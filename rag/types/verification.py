"""What checking an answer against its sources came to."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["supported", "contradicted", "not_covered", "uncited", "unchecked"]
ProblemKind = Literal["number", "date", "amount", "name", "negation", "words"]
Quality = Literal["HIGH", "MEDIUM", "LOW"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What in a claim its passages do not say: `said` stands in the claim, `found` is what they have instead, or ""."""

    kind: ProblemKind
    said: str
    found: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim of the answer, `[n]` included, and how far the passages it cites bear it out: `support` in [0, 1].

    `contradicted`: a passage says otherwise; `not_covered`: the passages do not say it; `unchecked`: they are in
    another language and have its numbers, dates, identifiers and persons, but nobody compared the words.
    """

    text: str
    citations: tuple[int, ...] = ()
    verdict: Verdict = "supported"
    support: float = 0.0
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one source says: `value` as it is written there, inside `quote`, a sentence of the chunk."""

    chunk_id: int
    document_id: int
    title: str
    quote: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two sources that differ on one thing: "do 14 dni" against "do 30 dni".

    `subject` is what the first says its value of, as it is written there; empty where one of them denies the other.
    """

    kind: ProblemKind
    subject: str
    first: Statement
    second: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidencePart:
    """`value` in [0, 1] of one reason to trust the answer, and its `weight` in the whole."""

    name: str
    value: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseCheck:
    """Whether the answer has one of the qualities it should have; `reason` says in the reader's language why not."""

    name: Literal["length", "language", "relevance", "citations", "facts"]
    passed: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """`citation_precision`: the share of `[n]` whose passage bears out its claim; 1 where nothing is cited."""

    claims: tuple[CheckedClaim, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    confidence: float = 0.0
    confidence_parts: tuple[ConfidencePart, ...] = ()
    checks: tuple[ResponseCheck, ...] = ()
    citation_precision: float = 1.0

    @property
    def uncited(self) -> tuple[str, ...]:
        return tuple(claim.text for claim in self.claims if claim.verdict == "uncited")
