"""Hallucination: what an answer claims and its sources do not say."""

import re

from ingestion.text.analyser import analyser
from ingestion.text.sentences import sentence_spans
from rag.answering.claims import split_claims
from rag.evaluation.answers.wording import lemmas, without_markers
from rag.types import Answer

_UNFOUNDED = frozenset({"contradicted", "not_covered"})
_BULLET = re.compile(r"^(?:[-*•–—>]\s+|\(?\d{1,3}[.)]\s+|[a-z]\)\s+)+")


def hallucination_rate(answer: Answer) -> float | None:
    """Share of the claims that are contradicted or not covered by their passages; in [0, 1], less is better.

    By verification; where it found no claims, those count that have a number, a date or a name which no passage has.
    None: the answer claims nothing.
    """
    verified = answer.verification.claims
    if verified:
        return sum(claim.verdict in _UNFOUNDED for claim in verified) / len(verified)
    claims = split_claims(answer.text)
    if not claims:
        return None
    known = _said_by_sources(answer)
    return sum(not facts(claim) <= known for claim in claims) / len(claims)


def facts(claim: str) -> frozenset[str]:
    """The lemmas of its numbers, dates and names: words with a digit, and those with a capital inside a sentence."""
    text = _BULLET.sub("", without_markers(claim).strip())
    first = {start for start, _ in sentence_spans(text)}
    tokens = analyser().tokens(text)
    return frozenset(
        token.lemma
        for token in tokens
        if any(letter.isdigit() for letter in token.lemma) or (text[token.start].isupper() and token.start not in first)
    )


def _said_by_sources(answer: Answer) -> frozenset[str]:
    texts = (" ".join((passage.title, *passage.heading_path, passage.text)) for passage in answer.passages)
    return frozenset(lemma for text in texts for lemma in lemmas(text))
