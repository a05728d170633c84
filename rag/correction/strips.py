"""Knowledge refinement: of each passage only the part that bears on the question.

Strips of up to three sentences are scored by BM25 among all of them (Yan et al. 2024, Corrective RAG, section 4.3, with
BM25 in place of their trained evaluator).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rank_bm25 import BM25Plus

from ingestion.protocols import Analyser
from ingestion.text.sentences import sentence_spans
from rag.types import Passage

_SENTENCES = 3
_WORTH_KEEPING = 0.35  # of the best strip's score
_SHORT = 600  # characters; what is shorter is not worth cutting


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Characters [start, end) of `passages[index]`."""

    index: int
    start: int
    end: int


def relevant_parts(question: str, passages: Sequence[Passage], analyser: Analyser) -> list[Passage]:
    """The passages in their order, each cut to the span of its relevant strips; one without any is left out.

    All of them where no strip has a word of the question.
    """
    strips = [strip for index, passage in enumerate(passages) for strip in _strips(index, passage.text)]
    scores = _scores(question, [passages[strip.index].text[strip.start : strip.end] for strip in strips], analyser)
    least = _WORTH_KEEPING * max(scores, default=0.0)
    kept = [strip for strip, score in zip(strips, scores, strict=True) if score > 0 and score >= least]
    if not kept:
        return list(passages)
    return [
        _cut(passage, min(strip.start for strip in own), max(strip.end for strip in own))
        for index, passage in enumerate(passages)
        if (own := [strip for strip in kept if strip.index == index])
    ]


def _strips(index: int, text: str) -> list[Strip]:
    if len(text) <= _SHORT:
        return [Strip(index=index, start=0, end=len(text))]
    spans = list(sentence_spans(text))
    groups = [spans[first : first + _SENTENCES] for first in range(0, len(spans), _SENTENCES)]
    return [Strip(index=index, start=group[0][0], end=group[-1][1]) for group in groups]


def _scores(question: str, texts: Sequence[str], analyser: Analyser) -> list[float]:
    """BM25 of each text; 0 for one without a word of the question."""
    words = [_content(text, analyser) or [""] for text in texts]
    wanted = _content(question, analyser)
    scores = BM25Plus(words).get_scores(wanted)
    return [0.0 if set(wanted).isdisjoint(strip) else float(score) for score, strip in zip(scores, words, strict=True)]


def _content(text: str, analyser: Analyser) -> list[str]:
    return [token.lemma for token in analyser.tokens(text) if not analyser.is_stop_word(token)]


def _cut(passage: Passage, start: int, end: int) -> Passage:
    """Characters [start, end) of the passage, with their own lines."""
    if (start, end) == (0, len(passage.text)):
        return passage
    first_line = passage.line_start + passage.text.count("\n", 0, start)
    return replace(
        passage,
        text=passage.text[start:end],
        start=passage.start + start,
        end=passage.start + end,
        line_start=first_line,
        line_end=first_line + passage.text.count("\n", start, max(start, end - 1)),
    )
