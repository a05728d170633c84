"""How far a model's answer can be trusted, without asking anybody: one number, and its reasons."""

import math
from collections.abc import Sequence

from rag.answering.verification.overlap import CitedSource, SentenceWindow, nearest
from rag.answering.verification.sentence import Sentence
from rag.types import CheckedClaim, Citation, ConfidencePart, Contradiction
from rag.understanding.expected import expected

LOW = 0.4
"""Below, a reader of a model's answer should be told. What is not certain is never said to be above."""

# Log-odds per part. relevance, coverage and kind: logistic regression of benchmarks/confidence.py, 2026-11-21, on 408
# questions of PoQuAD with an answer against 408 written to look answerable and 300 of other sets. The rest are choices,
# for want of data: of an answer at 0.7, sources that differ make 0.46, a poor search 0.6, unsupported claims 0.04.
WEIGHTS = {"relevance": 1.5, "coverage": 0.4, "kind": 1.5, "support": 4.0, "agreement": 1.0, "retrieval": 0.5}
FITTED_BIAS = -7.9
RIGHT_BY_MODEL = 0.85
"""The share of a model's answers taken to be right; of 57 to everyday questions 54 were (docs/benchmarks.md)."""
_QUALITY = {"HIGH": 1.0, "MEDIUM": 0.7, "LOW": 0.2}
_UNKNOWN_QUALITY = 0.7


def confidence(parts: Sequence[ConfidencePart]) -> float:
    """In [0, 1]: the logistic function of the weighted parts; 0 without parts.

    The fit saw as many wrong as right answers; readers do not (Saerens et al. 2002, new a priori probabilities).
    """
    if not parts:
        return 0.0
    bias = FITTED_BIAS + math.log(RIGHT_BY_MODEL / (1 - RIGHT_BY_MODEL))
    return 1 / (1 + math.exp(-bias - sum(part.value * part.weight for part in parts)))


def confidence_parts(
    *,
    question: Sentence,
    answer: Sentence,
    citations: Sequence[Citation],
    sources: Sequence[CitedSource],
    claims: Sequence[CheckedClaim],
    contradictions: Sequence[Contradiction],
    quality: str,
) -> tuple[ConfidencePart, ...]:
    """The reasons, each in [0, 1]; none where nothing is cited. `sources` are what is cited."""
    if not citations:
        return ()
    windows = [nearest(question, source) for source in sources]
    values = {
        "relevance": max(citation.score for citation in citations),
        "coverage": max((_covered(question, window) for window in windows), default=0.0),
        "kind": _kind(question, answer, windows),
        "support": _supported(claims),
        "agreement": 0.0 if contradictions else 1.0,
        "retrieval": _QUALITY.get(quality, _UNKNOWN_QUALITY),
    }
    return tuple(
        ConfidencePart(name=name, value=min(1.0, max(0.0, value)), weight=WEIGHTS[name])
        for name, value in values.items()
    )


def _covered(question: Sentence, window: SentenceWindow) -> float:
    """The share of the question's words that the best sentences of a source have."""
    shares = window.shares(question)
    return sum(shares.values()) / len(shares) if shares else 1.0


def _kind(question: Sentence, answer: Sentence, windows: Sequence[SentenceWindow]) -> float:
    """Whether the answer, or what it cites, has the date, number or name asked for; 1 where nothing of a kind was."""
    said = (answer, *(one for window in windows for one in window.sentences))
    return float(any(map(expected(question.text).has_answer, (one.text for one in said))))


def _supported(claims: Sequence[CheckedClaim]) -> float:
    """The mean support of the claims; what contradicts its source or cites none counts as nothing."""
    if not claims:
        return 1.0
    nothing = ("contradicted", "uncited")
    return sum(0.0 if claim.verdict in nothing else claim.support for claim in claims) / len(claims)
