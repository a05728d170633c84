"""Coherence without a model: faults that a reader sees at a glance. It cannot judge the train of thought."""

import re
from itertools import combinations, pairwise

from rag.answering.claims import split_claims
from rag.evaluation.answers.wording import content_lemmas, without_markers
from rag.types import Answer
from rag.understanding.language import question_language

_ALIKE = 0.9  # share of lemmas; sentences above it say the same
_LIST_ITEM = re.compile(r"\s*(?:[-*•–—]|\(?\d{1,3}[.)]|[a-z]\))\s")
_END = re.compile(r"[.!?…:;][\"”»’)\]*_]*\s*$")


def coherence(answer: Answer) -> float:
    """Mean of four shares in [0, 1], an own measure; 0 for an empty answer.

    Sentences that repeat none before them; sentences that are not cut; neighbouring citations of one document that
    follow its order; the right language (0 or 1).
    """
    sentences = split_claims(answer.text)
    if not sentences:
        return 0.0
    return (_unlike(sentences) + _whole(sentences) + _in_order(answer) + _language(answer)) / 4


def _unlike(sentences: list[str]) -> float:
    words = [frozenset(content_lemmas(sentence)) for sentence in sentences]
    repeated = {
        later
        for (_, first), (later, second) in combinations(enumerate(words), 2)
        if first and len(first & second) >= _ALIKE * len(first | second)
    }
    return 1 - len(repeated) / len(sentences)


def _whole(sentences: list[str]) -> float:
    """A list item needs no full stop; nothing may end in a conjunction's comma or in the middle of a word."""
    return sum(_ends(sentence) for sentence in sentences) / len(sentences)


def _ends(sentence: str) -> bool:
    plain = without_markers(sentence).rstrip()
    return bool(_END.search(plain)) or (bool(_LIST_ITEM.match(plain)) and plain[-1:].isalnum())


def _in_order(answer: Answer) -> float:
    pairs = [
        (earlier.start, later.start)
        for earlier, later in pairwise(answer.citations)
        if earlier.document_id == later.document_id
    ]
    return sum(first <= second for first, second in pairs) / len(pairs) if pairs else 1.0


def _language(answer: Answer) -> float:
    return float(question_language(without_markers(answer.text), answer.language) == answer.language)
