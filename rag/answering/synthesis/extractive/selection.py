"""Which pieces make the answer: the likeliest first, then those that add most of what the question asks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.synthesis.extractive.pieces import Piece
from rag.answering.synthesis.extractive.scoring import Scored

# In nats; the trade between more gold spans in the answer and a shorter one, on every second question of poquad.
_NEWS = 4.0  # for covering all of the question that is not covered yet
_LEAST = -2.7  # a piece that is e^-2.7 times as likely as the best one and brings no news is left out
_ALIKE = 0.7  # share of the smaller one's lemmas that two pieces have in common
_ROOM = 1200  # characters of a block
_POOL = 40  # pieces that are looked at

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_LEANS_BACK = re.compile(
    r"(?:On[aoi]?|One|Wtedy|Wówczas|Ponadto|Jednak|Natomiast|Również|Także|Dlatego|Zatem|Poza tym"
    r"|Zamiast tego|W (?:takim|takich|tym|tych) (?:przypadk|wypadk|razi|sytuacj)\w*|W takiej sytuacji"
    r"|It|They|This|He|She|However|Therefore|Moreover|In (?:this|that|such) case)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedBlock:
    """Pieces of one passage, in its order, that are read together and cited as one."""

    pieces: tuple[Piece, ...]

    @property
    def passage(self) -> int:
        return self.pieces[0].passage

    @property
    def span(self) -> tuple[int, int]:
        return self.pieces[0].start, self.pieces[-1].end


def choose(scored: Sequence[Scored], *, most: int) -> list[Piece]:
    """At most `most` pieces, no two alike; the first is the likeliest answer, each next one adds most to them."""
    left = sorted(scored, key=lambda one: (-one.score, one.piece.passage, one.piece.start))[:_POOL]
    chosen = left[:1]
    while left and len(chosen) < most:
        covered = [max(values) for values in zip(*(one.cover for one in chosen), strict=True)]
        left = [one for one in left if not any(_repeats(one, other) for other in chosen)]
        value, best = max(
            ((_value(one, chosen[0], covered), -place) for place, one in enumerate(left)), default=(_LEAST, 0)
        )
        if value <= _LEAST:
            break
        chosen.append(left[-best])
    return [one.piece for one in chosen]


def blocks_of(chosen: Sequence[Piece], pieces: Sequence[Piece], *, whole_lists: bool) -> list[CitedBlock]:
    """`chosen`, in that order, with what they cannot be read without; `pieces` are all there are, in order.

    What belongs together comes together: a sentence that follows a chosen one, items of one list, rows of one table.
    """
    blocks: list[CitedBlock] = []
    for piece in chosen:
        if any(piece in block.pieces for block in blocks):
            continue
        family = _whole_list(piece, pieces) if whole_lists else _with_antecedent(piece, pieces)
        place = next((n for n, block in enumerate(blocks) if _belongs(block, family)), None)
        if place is None:
            blocks.append(CitedBlock(pieces=tuple(family)))
        else:
            together = {*blocks[place].pieces, *family}
            blocks[place] = CitedBlock(pieces=tuple(sorted(together, key=lambda one: one.position)))
    return blocks


def _value(one: Scored, best: Scored, covered: Sequence[float]) -> float:
    news = sum(max(0.0, value - known) for value, known in zip(one.cover, covered, strict=True))
    return one.score - best.score + _NEWS * news


def _repeats(one: Scored, other: Scored) -> bool:
    """Whether `one` has little that `other` does not have, and no other number."""
    smaller = min(len(one.lemmas), len(other.lemmas)) or 1
    if one.piece is other.piece:
        return True
    alike = len(one.lemmas & other.lemmas) / smaller >= _ALIKE
    return alike and set(_NUMBER.findall(one.piece.text)) <= set(_NUMBER.findall(other.piece.text))


def _whole_list(piece: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    alike = [one for one in pieces if one.list_number == piece.list_number and one.passage == piece.passage]
    if piece.kind != "item" or alike[-1].end - alike[0].start > _ROOM:
        return _with_antecedent(piece, pieces)
    return [one for one in alike if one.kind == "item"]


def _with_antecedent(piece: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    """The sentence before one that begins with "Ponadto" or "On", if it stands under the same heading."""
    if piece.kind != "sentence" or not piece.position or not _LEANS_BACK.match(piece.text):
        return [piece]
    before = next(one for one in pieces if one.passage == piece.passage and one.position == piece.position - 1)
    near = before.kind == "sentence" and before.heading == piece.heading and piece.end - before.start <= _ROOM // 2
    return [before, piece] if near else [piece]


def _belongs(block: CitedBlock, family: Sequence[Piece]) -> bool:
    """Whether `family` goes on where `block` is; never before it, since the better answer is read first."""
    last, first = block.pieces[-1], family[0]
    if (block.passage, last.kind, last.heading) != (first.passage, first.kind, first.heading):
        return False
    if first.position < block.pieces[0].position or family[-1].end - block.span[0] > _ROOM:
        return False
    if first.is_statement:
        return 0 <= first.position - last.position <= 1
    return first.list_number == last.list_number and first.header == last.header and first.kind != "sentence"
