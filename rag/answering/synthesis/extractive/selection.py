"""Which pieces make the answer: of the section that answers best the likeliest first, with what belongs to them."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from rag.answering.synthesis.extractive.scoring import Scored
from rag.search.reading.pieces import Piece

ROOM = 900
"""Characters of an answer: what a reader takes in at a glance."""
LISTED = 1400
"""Characters of one that is a list or steps: half of them would mislead."""

# Chosen on some 1,200 everyday questions, as a trade between more right answers and shorter ones; the first four are in
# nats.
_NEWS = 4.0  # for covering all that the answer may still say of the question
_LEAST = -3.2  # a piece that is e^-3.2 times as likely as the best one and brings no news is left out
_LIKELY = -4.0  # and from here on it is read where the one before it is shown
_ASIDE = 1.0  # what another document must be worth more to stand beside the one that answers best
_CLEAR = 0.7  # the chance from which on one passage has the answer by itself
_FLOW = 300  # characters that are read on from a piece, as far as its section goes
_ALIKE = 0.7  # share of the smaller one's lemmas that two pieces have in common
_POOL = 40  # pieces that are looked at

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_LEANS_BACK = re.compile(
    r"(?:On[aoi]?|One|Wtedy|Wówczas|Ponadto|Jednak|Natomiast|Również|Także|Dlatego|Zatem|Poza tym|Przy tym"
    r"|Zamiast tego|W (?:takim|takich|tym|tych) (?:przypadk|wypadk|razi|sytuacj)\w*|W takiej sytuacji"
    r"|It|They|This|He|She|However|Therefore|Moreover|In (?:this|that|such) case)\b"
)

_POINTS_BACK = re.compile(
    r"(?:Ten|Ta|Te|Taki[em]?|Taka) (?!sam)\w{3,}"
    r"|[^.;:]{0,60}?\b(?:(?<!\bw )(?:tą|tę|tej|tego|tych|tymi|temu)"
    r"|(?i:na|po|od|przed|przez|za|przy|z|o|ponad|poza|według) (?:tym|ten|te)) (?!sam|typ|rodzaj)\w{3,}"
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


def choose(
    scored: Sequence[Scored], *, first: Sequence[Scored] = (), both: bool = False, whole_lists: bool = False
) -> list[CitedBlock]:
    """What is shown, about ROOM characters of it, nothing twice: first the likeliest answer, then what adds most to it.

    All is of the one passage that has most of what may answer, and of those that say the same with other numbers. Where
    none stands out, those may add something too that have as much of the question; where it compares or asks for two
    things (`both`), any may.
    `scored` are all pieces there are, in order; `first` those that answer for certain, such as the row of a table.
    """
    return _Answer(scored, first=first, both=both, whole_lists=whole_lists).blocks() if scored else []


def choose_from_each(sides: Sequence[Sequence[Scored]], *, whole_lists: bool = False) -> list[CitedBlock]:
    """What is shown of things compared, the pieces scored for each of them: half of the room is for either."""
    room = ROOM // len(sides)
    chosen = [_Answer(scored, first=(), both=False, whole_lists=whole_lists, room=room).blocks() for scored in sides]
    blocks: list[CitedBlock] = []
    for block in chain.from_iterable(chosen):
        told = {piece for other in blocks for piece in other.pieces}
        if left := tuple(piece for piece in block.pieces if piece not in told):
            blocks.append(CitedBlock(pieces=left))
    return blocks


class _Answer:
    """Grows block by block."""

    def __init__(
        self, scored: Sequence[Scored], *, first: Sequence[Scored], both: bool, whole_lists: bool, room: int = ROOM
    ) -> None:
        self._scored = scored
        self._room = room
        self._whole_lists = whole_lists
        held, chance = _likeliest_passage(first or scored)
        told = _told_by_passage(scored)
        self._first = first
        self._best = max((one for one in scored if one.piece.passage == held), key=lambda one: one.score)
        beside = {passage for passage in told if both or (chance < _CLEAR and told[passage] >= told[held])} | {held}
        pool = [one for one in scored if one.piece.passage in beside or _rivals(one, self._best)]
        pool.sort(key=lambda one: -one.score)
        self._pool = pool[:_POOL]
        self._sayable = _covered(pool)
        self._shown: list[Scored] = []
        self._blocks: list[CitedBlock] = []

    def blocks(self) -> list[CitedBlock]:
        self._show(self._first or self._family(self._best))
        answering = {_unit(one.piece) for one in self._first}
        self._pool = [one for one in self._pool if _unit(one.piece) not in answering]
        while self._pool:
            said = _covered(self._shown)
            value, best = max((self._value(one, said), -place) for place, one in enumerate(self._pool))
            if value <= _LEAST:
                break
            one = self._pool[-best]
            self._show(next((family for family in (self._family(one), [one]) if self._fits(family)), ()))
            self._pool = [other for other in self._pool if other is not one]
        return self._blocks

    def _show(self, family: Sequence[Scored]) -> None:
        if not family:
            return
        self._shown += family
        self._pool = [one for one in self._pool if not any(_repeats(one, other) for other in self._shown)]
        pieces = tuple(one.piece for one in family)
        place = next((n for n, block in enumerate(self._blocks) if _belongs(block, pieces[0])), None)
        if place is None:
            self._blocks.append(CitedBlock(pieces=pieces))
        else:
            together = {*self._blocks[place].pieces, *pieces}
            self._blocks[place] = CitedBlock(pieces=tuple(sorted(together, key=lambda one: one.position)))

    def _value(self, one: Scored, said: Sequence[float]) -> float:
        open_ = sum(max(0.0, most - known) for most, known in zip(self._sayable, said, strict=True))
        news = sum(max(0.0, value - known) for value, known in zip(one.cover, said, strict=True)) / (open_ or 1.0)
        if _rivals(one, self._best):
            return 0.0
        aside = 0.0 if one.piece.passage == self._best.piece.passage else _ASIDE
        return one.score - self._best.score + _NEWS * news - aside

    def _fits(self, family: Sequence[Scored]) -> bool:
        return sum(len(one.piece.text) for one in (*self._shown, *family)) <= self._room

    def _family(self, one: Scored) -> list[Scored]:
        """`one` with what it cannot be read without and what its section goes on with, as far as it is not shown."""
        piece = one.piece
        around = [other for other in self._scored if _section(other.piece) == _section(piece)]
        unit = [other for other in around if other.piece.unit == piece.unit]
        if piece.kind == "item" and self._whole_lists and _length(unit) <= LISTED:
            return [other for other in unit if other not in self._shown]
        place = around.index(one)
        leaning = with_antecedent([other.piece for other in around], place)
        return list(self._going_on(around[place + 1 - len(leaning) :]))

    def _going_on(self, around: Sequence[Scored]) -> Iterator[Scored]:
        """The first with the rest of its paragraph, and with what follows that if it may answer too."""
        first = around[0].piece
        yield around[0]
        for one in around[1:]:
            likely = one.piece.unit == first.unit or one.score > self._best.score + _LIKELY
            if one in self._shown or one.piece.end - first.start > _FLOW or not likely:
                return
            yield one


def _covered(pieces: Iterable[Scored]) -> list[float]:
    """How much of each word of the question is in them."""
    return [max(values) for values in zip(*(one.cover for one in pieces), strict=True)]


def _told_by_passage(scored: Iterable[Scored]) -> dict[int, float]:
    """How much of the question the pieces of each passage have together."""
    pieces: dict[int, list[Scored]] = defaultdict(list)
    for one in scored:
        pieces[one.piece.passage].append(one)
    return {passage: sum(_covered(own)) for passage, own in pieces.items()}


def _section(piece: Piece) -> tuple[int, int]:
    return piece.passage, piece.section


def with_antecedent(pieces: Sequence[Piece], place: int) -> Sequence[Piece]:
    """The piece at `place`; one that begins with "Ponadto" or "On", or speaks of "po tym terminie", with the one before
    it in its paragraph.
    """
    one, before = pieces[place], pieces[place - 1] if place else None
    leans = _LEANS_BACK.match(one.text) or (one.kind == "sentence" and _POINTS_BACK.match(one.text))
    return pieces[place - 1 : place + 1] if leans and before and before.unit == one.unit else pieces[place : place + 1]


def _unit(piece: Piece) -> tuple[int, int]:
    return piece.passage, piece.unit


def _length(family: Sequence[Scored]) -> int:
    return family[-1].piece.end - family[0].piece.start


def _likeliest_passage(scored: Iterable[Scored]) -> tuple[int, float]:
    """The passage in which the answer is likeliest to stand, whichever of its pieces it is, and how likely that is."""
    best = max(one.score for one in scored)
    chances: dict[int, float] = defaultdict(float)
    for one in scored:
        chances[one.piece.passage] += math.exp(one.score - best)
    held = max(chances, key=chances.__getitem__)
    return held, chances[held] / sum(chances.values())


def _repeats(one: Scored, other: Scored) -> bool:
    """Whether `one` has little that `other` does not have, and no other number."""
    smaller = min(len(one.lemmas), len(other.lemmas)) or 1
    if one.piece is other.piece:
        return True
    alike = len(one.lemmas & other.lemmas) / smaller >= _ALIKE
    return alike and set(_NUMBER.findall(one.piece.text)) <= set(_NUMBER.findall(other.piece.text))


def _rivals(one: Scored, other: Scored) -> bool:
    """Whether two documents say the same with other numbers, which the reader should know."""
    numbers = [set(_NUMBER.findall(each.piece.text)) for each in (one, other)]
    words = [{lemma for lemma in each.lemmas if lemma.isalpha()} for each in (one, other)]
    same = len(words[0] & words[1]) / (len(words[0] | words[1]) or 1)
    return all(numbers) and numbers[0] != numbers[1] and same >= _ALIKE


def _belongs(block: CitedBlock, piece: Piece) -> bool:
    """Whether `piece` is read where `block` is: in the same list or table, or right after its last sentence."""
    last = block.pieces[-1]
    if _section(last) != _section(piece):
        return False
    if last.unit == piece.unit and piece.kind != "sentence":
        return not piece.is_statement or piece.position > block.pieces[0].position  # the better one is read first
    return piece.position == last.position + 1
