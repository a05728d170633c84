"""A summary without a language model: of each central passage the sentence that has most of what the group shares."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rank_bm25 import BM25Plus

from ingestion.text.analyser import analyser
from rag.answering.synthesis.extractive.selection import CitedBlock, with_antecedent
from rag.answering.synthesis.extractive.wording import readable
from rag.search.reading.pieces import Piece, pieces_of
from rag.types import Passage

MOST = 6  # sentences of a summary
_SHORTEST, _LONGEST = 40, 400  # characters of a sentence that can stand alone
# "Zwolnienie to wynosi", "Takie pismo": what is meant stands before.
_LEANS_BACK = re.compile(r"(?:\w+ )?(?:ten|ta|to|te|tego|tej|tych|tym|tę|tą|taki|taka|takie|takich|this|these)\b", re.I)
_ALIKE = 0.7  # share of the smaller one's lemmas that two sentences have in common


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A sentence, and the characters [start, end) of the document's text that it rests on."""

    text: str
    document_id: int
    start: int
    end: int


def cited(text: str, passage: Passage, span: tuple[int, int]) -> Cited:
    """`span` counts from the start of the passage."""
    start, end = (passage.start + place for place in span)
    return Cited(text=text, document_id=passage.document_id, start=start, end=end)


def extracts(words: Sequence[str], passages: Sequence[Passage]) -> list[Cited]:
    """At most six sentences, one a passage, in the order of the passages; none says what another does.

    `words` are the lemmas of the group's centre.
    """
    chosen: list[Cited] = []
    said: list[frozenset[str]] = []
    for passage, block in _best(words, passages):
        text = " ".join(readable(piece.text) for piece in block.pieces)
        lemmas = frozenset(_content(text))
        if not any(_repeats(lemmas, other) for other in said):
            chosen.append(cited(text, passage, block.span))
            said.append(lemmas)
        if len(chosen) == MOST:
            break
    return chosen


def _best(words: Sequence[str], passages: Sequence[Passage]) -> Iterator[tuple[Passage, CitedBlock]]:
    """Of each passage its best sentence, with the one that it leans on."""
    pieces = [piece for number, passage in enumerate(passages) for piece in pieces_of(passage.text, passage=number)]
    able = [piece for piece in pieces if _stands_alone(piece)]
    if not able:
        return
    scores = BM25Plus([_content(piece.text) or [""] for piece in able]).get_scores(list(words))
    for number, passage in enumerate(passages):
        own = [(-float(score), piece.position, piece) for score, piece in zip(scores, able, strict=True)]
        ranked = sorted((one for one in own if one[2].passage == number), key=lambda one: one[:2])
        if ranked:
            yield passage, _block(ranked[0][2], pieces)


def _stands_alone(piece: Piece) -> bool:
    text = readable(piece.text)
    return piece.is_statement and _SHORTEST <= len(text) <= _LONGEST and not _LEANS_BACK.match(text)


def _block(piece: Piece, pieces: Sequence[Piece]) -> CitedBlock:
    around = [one for one in pieces if one.passage == piece.passage]
    return CitedBlock(pieces=tuple(with_antecedent(around, around.index(piece))))


def _content(text: str) -> list[str]:
    return [token.lemma for token in analyser().content_tokens(text)]


def _repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _ALIKE * (min(len(one), len(other)) or 1)
