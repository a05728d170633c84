"""How likely each piece of the passages is to answer the question: a linear model over what it covers of it."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.kinship import LEAST, alike
from ingestion.text.morphology.stop_words import STOP_WORDS
from rag.answering.synthesis.extractive.pieces import Piece
from rag.search.retrieval.bm25 import inverse_document_frequency
from rag.types import Passage
from rag.understanding.expected import NUMBER, ExpectedAnswer

# Listwise logistic regression on every second question of poquad and of draws from lquad (500) and prawo (300);
# `broken` is set by hand: those sets hardly have headings or cut sentences among their texts.
WEIGHTS = {
    "own": 3.3,
    "near": 3.5,
    "title": 4.9,
    "wording": 2.2,
    "rank": 3.0,
    "own_rank": 4.4,
    "kind": 0.85,
    "counted": 1.2,
    "defines": 0.6,
    "early": 1.0,
    "broken": -1.0,
}
_KIN = 0.5  # words less alike than this are no kin
_SAME = 0.6  # and from here on they count as an occurrence
_EARLY = 3  # words after which the value of an early mention has fallen to a half
_WINDOW = 40  # characters after a number in which the thing it counts is named
_DEFINES = re.compile(r"(?:[^\s.;]+\s){1,8}?(?:jest|są|był[aoy]?|byli|to|oznacza|nazywa|[–—-]|is|are|was|were|means)\s")
_SHORT_LINE = re.compile(r"(?:\A|\n)[^\n]{1,59}\n")  # inside a sentence: lines of an address, not of a paragraph
_FINISHED = re.compile(r"[.!?…:;\"”»)\]]\Z")

Cover = list[float]
"""For each word of the question how far it is there, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """`score` in nats: differences are logarithms of odds. `cover` has the piece's own share of the question, word by
    word, times the word's weight; they sum to at most 1. `lemmas` carry a topic.
    """

    piece: Piece
    score: float
    cover: tuple[float, ...]
    lemmas: frozenset[str]
    signals: dict[str, float] = field(default_factory=dict)


def score_pieces(
    question: str,
    expected: ExpectedAnswer,
    passages: Sequence[Passage],
    pieces: Sequence[Piece],
) -> list[Scored]:
    """Every piece with its score, in the given order."""
    return _Scorer(question, expected, passages, pieces).scored() if pieces else []


class _Scorer:
    def __init__(
        self,
        question: str,
        expected: ExpectedAnswer,
        passages: Sequence[Passage],
        pieces: Sequence[Piece],
    ) -> None:
        self._expected = expected
        self._best = max(passage.relevance for passage in passages)
        self._passages = passages
        self._pieces = pieces
        self._match = WordMatcher(question)
        self._asked = frozenset(pairwise(self._lemmas(question)))
        self._counted = [expected.noun] if expected.noun else []
        self._words = [analyser().words(piece.text) for piece in pieces]
        self._covers = [self._match.cover(lemma for _, lemma in words) for words in self._words]
        self._idf = inverse_frequencies(self._covers)
        self._frames: dict[str, Cover] = {}

    def scored(self) -> list[Scored]:
        return [self._scored(number, piece) for number, piece in enumerate(self._pieces)]

    def _scored(self, number: int, piece: Piece) -> Scored:
        signals = self._signals(number, piece)
        return Scored(
            piece=piece,
            score=sum(WEIGHTS[name] * value for name, value in signals.items()),
            cover=tuple(weight * value for weight, value in zip(self._idf, self._covers[number], strict=True)),
            lemmas=frozenset(lemma for form, lemma in self._words[number] if form not in STOP_WORDS),
            signals=signals,
        )

    def _signals(self, number: int, piece: Piece) -> dict[str, float]:
        own = self._own(number, piece)
        near = joined(own, self._near(number, piece))
        titled = joined(near, self._frame(self._title(piece)))
        lemmas = [lemma for _, lemma in self._words[number]]
        rank = self._rank(piece)
        return {
            "own": self._share(own),
            "near": self._share(near) - self._share(own),
            "title": self._share(titled) - self._share(near),
            "wording": len(self._asked.intersection(pairwise(lemmas))) / max(1, len(self._asked)),
            "rank": rank,
            "own_rank": rank * self._share(own),
            "kind": self._expected.fits(piece.text),
            "counted": self._counts(piece.text),
            "defines": float(self._expected.definition and bool(_DEFINES.match(piece.text))),
            "early": self._match.earliness(lemmas),
            "broken": float(_is_broken(piece)),
        }

    def _own(self, number: int, piece: Piece) -> Cover:
        """What the reader will be shown: an item with the line before its list, a row with its header."""
        lead_in = self._passages[piece.passage].text[slice(*piece.lead_in)] if piece.lead_in else ""
        return joined(self._covers[number], self._frame(piece.header or lead_in))

    def _near(self, number: int, piece: Piece) -> Cover:
        """What the piece before it and the heading above it say."""
        before = self._covers[number - 1] if piece.position else []
        return joined(self._frame(piece.heading), before)

    def _rank(self, piece: Piece) -> float:
        """1 for the first passage; half is for the place, half for the relevance, which may be as high further on."""
        relevance = self._passages[piece.passage].relevance / self._best if self._best else 1.0
        return (relevance + 1 / (1 + piece.passage)) / 2

    def _title(self, piece: Piece) -> str:
        passage = self._passages[piece.passage]
        return " ".join((passage.title, *passage.heading_path))

    def _frame(self, text: str) -> Cover:
        if text not in self._frames:
            self._frames[text] = self._match.cover(self._lemmas(text))
        return self._frames[text]

    def _counts(self, text: str) -> float:
        """Whether a number is followed by what the question wants counted: "26 dni" for "ile dni"."""
        if not self._counted:
            return 0.0
        after = (text[match.end() : match.end() + _WINDOW] for match in NUMBER.finditer(text))
        return float(any(self._counted[0] in self._lemmas(words)[:3] for words in after))

    def _share(self, cover: Cover) -> float:
        return sum(weight * value for weight, value in zip(self._idf, cover, strict=True))

    def _lemmas(self, text: str) -> list[str]:
        return [lemma for _, lemma in analyser().words(text)]


class WordMatcher:
    """Finds the words of a question that carry a topic; where none does, all of them."""

    def __init__(self, question: str) -> None:
        tokens = analyser().content_tokens(question) or analyser().tokens(question)
        self._places = {lemma: place for place, lemma in enumerate(dict.fromkeys(token.lemma for token in tokens))}
        self._by_beginning: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for lemma, place in self._places.items():
            self._by_beginning[fold(lemma)[:LEAST]].append((place, fold(lemma)))
        self._known: dict[str, tuple[tuple[int, float], ...]] = {}

    def cover(self, lemmas: Iterable[str]) -> Cover:
        found = [0.0] * len(self._places)
        for lemma in set(lemmas):
            for place, value in self._matches(lemma):
                found[place] = max(found[place], value)
        return found

    def earliness(self, lemmas: Iterable[str]) -> float:
        """1 where the first of `lemmas` is a word of the question, less the later one comes, 0 where none does."""
        for place, lemma in enumerate(lemmas):
            matches = self._matches(lemma)
            if matches and any(value > _SAME for _, value in matches):
                return 1 / math.log2(2 + place / _EARLY)
        return 0.0

    def _matches(self, lemma: str) -> tuple[tuple[int, float], ...]:
        """Places of the question's words that `lemma` is or is akin to: `wynajem` and `wynająć`, `slub` and `ślub`."""
        matches = self._known.get(lemma)
        if matches is None:
            matches = self._known[lemma] = tuple(self._akin(lemma))
        return matches

    def _akin(self, lemma: str) -> Iterable[tuple[int, float]]:
        if lemma in self._places:
            return [(self._places[lemma], 1.0)]
        if fold(lemma[:LEAST]) not in self._by_beginning:
            return ()
        folded = fold(lemma)
        values = ((place, alike(folded, word)) for place, word in self._by_beginning.get(folded[:LEAST], ()))
        return [(place, value) for place, value in values if value >= _KIN]


def inverse_frequencies(covers: Sequence[Cover]) -> list[float]:
    """BM25's idf of each word of the question among the pieces, scaled to the sum 1."""
    pieces = len(covers)
    having = [sum(value > _SAME for value in values) for values in zip(*covers, strict=True)]
    weights = [inverse_document_frequency(count, pieces) for count in having]
    return [weight / (sum(weights) or 1.0) for weight in weights]


def joined(left: Cover, right: Cover) -> Cover:
    return [max(pair) for pair in zip(left, right, strict=True)] if right else left


def _is_broken(piece: Piece) -> bool:
    """A sentence that has no end, such as a line of an address, or one whose beginning the chunk has cut off."""
    if piece.kind != "sentence":
        return False
    return not _FINISHED.search(piece.text) or piece.text[0].islower() or bool(_SHORT_LINE.search(piece.text))
