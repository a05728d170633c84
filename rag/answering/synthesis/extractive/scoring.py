"""How likely each piece of the passages is to answer the question: a linear model over what it covers of it."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul

from ingestion.text.analyser import analyser
from ingestion.text.meaning.vocabulary import meaning_of_text
from ingestion.text.morphology.stop_words import STOP_WORDS
from rag.answering.synthesis.extractive.matching import Cover, WordMatcher, inverse_frequencies, joined
from rag.question import SubstituteWords
from rag.search.reading.cross_encoder import cross_encoder
from rag.search.reading.pieces import Piece, framed, led_in, unmarked
from rag.types import Passage
from rag.understanding.defining import defines, thing_to_define
from rag.understanding.entries import has_answer
from rag.understanding.expected import NUMBER, ExpectedAnswer

# Listwise logistic regression (Cao et al. 2007) on 2,056 everyday questions to 24 invented institutions, which neither
# vectors nor cross-encoder had seen, and, as much again, on 552 others (docs/benchmarks.md).
WEIGHTS = {
    "heading": 3.5,
    "beside_title": 1.9,
    "rank": 1.35,
    "outright": 2.45,
    "counted": 1.15,
    "defines": 2.5,
    "decides": 0.95,
    "reasons": 2.55,
    "broken": -4.5,
    "meaning": 5.3,
    "meant_above": 4.2,
    "meant": 2.1,
    "read": 0.65,
}
_READ = 32  # pieces that promise most, which the cross-encoder reads, in half a millisecond each
_LIKELIEST = 6
_LITTLE = 0.01  # of the question, as good as nothing
_WINDOW = 40  # characters after a number in which the thing it counts is named
_DEFINES = re.compile(r"(?:[^\s.;]+\s){1,8}?(?:jest|są|był[aoy]?|byli|to|oznacza|nazywa|[–—-]|is|are|was|were|means)\s")
_SHORT_LINE = re.compile(r"(?:\A|\n)[^\n]{1,59}\n")  # inside a sentence: lines of an address, not of a paragraph
_FINISHED = re.compile(r"[.!?…:;\"”»)\]]\Z")
_DECIDES = re.compile(
    r"\b(?:nie|tak|można|wolno|może|mogą|możesz|musi\w*|musz\w+|należy|trzeba|wymaga\w*|niezbędn\w+|koniecz\w+|obowiąz\w+"
    r"|(?:nie)?dopuszcz\w+|zabr[ao]ni\w+|zakaz\w*|zablokowan\w+|przysługuj\w+|uprawni\w+|(?:nie)?dozwolon\w+|wyłącznie"
    r"|bez względu|niezależnie|zawsze|nigdy)\b",
    re.IGNORECASE,
)
_REASONS = re.compile(
    r"\b(?:ponieważ|bo|gdyż|bowiem|dlatego|aby|żeby|w celu|powod\w+|przyczyn\w+|skutk\w+|wynika|związku|gdy|because)\b",
    re.IGNORECASE,
)


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
    others: Sequence[SubstituteWords] = (),
    spelt: str = "",
) -> list[Scored]:
    """Every piece with its score, in the given order. `spelt` is the question as the search reads its words."""
    return _Scorer(question, expected, passages, pieces, others, spelt or question).scored() if pieces else []


def signs_of(scored: Sequence[Scored]) -> Mapping[str, float]:
    """What pieces, of which there is one at least, tell by the cross-encoder, each in [0, 1]: `read` the chance that
    the best one answers, `likely` that any of the likeliest does.
    """
    best = max(scored, key=lambda one: one.score)
    likeliest = sorted((_chance(one.signals["read"]) for one in scored), reverse=True)[:_LIKELIEST]
    return {"read": _chance(best.signals["read"]), "likely": 1 - math.prod(1 - chance for chance in likeliest)}


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


class _Scorer:
    def __init__(
        self,
        question: str,
        expected: ExpectedAnswer,
        passages: Sequence[Passage],
        pieces: Sequence[Piece],
        others: Sequence[SubstituteWords],
        spelt: str,
    ) -> None:
        self._expected = expected
        self._asks_whether = "yes_or_no" in expected.kinds
        self._defined = thing_to_define(question) if expected.definition else frozenset()
        self._asks_why = "reason" in expected.kinds
        self._best = max(passage.relevance for passage in passages)
        self._passages = passages
        self._pieces = pieces
        self._match = WordMatcher(question, others)
        self._counted = [expected.noun] if expected.noun else []
        self._words = [analyser().words(piece.text) for piece in pieces]
        self._covers = [self._match.cover(lemma for _, lemma in words) for words in self._words]
        self._idf = inverse_frequencies(self._covers)
        self._frames: dict[str, Cover] = {}
        self._question_meaning = meaning_of_text(question)
        self._meanings: dict[str, float] = {}
        self._spelt = spelt

    def scored(self) -> list[Scored]:
        signals = [self._signals(number, piece) for number, piece in enumerate(self._pieces)]
        promising = sorted(range(len(signals)), key=lambda number: -_sum(signals[number]))[:_READ]
        pieces = [framed(self._pieces[number], self._passage_of(self._pieces[number])) for number in promising]
        read = dict(zip(promising, cross_encoder().log_odds(self._spelt, pieces), strict=True))
        least = min(read.values())
        return [
            self._scored(number, piece, {**signals[number], "read": read.get(number, least)})
            for number, piece in enumerate(self._pieces)
        ]

    def _scored(self, number: int, piece: Piece, signals: dict[str, float]) -> Scored:
        return Scored(
            piece=piece,
            score=_sum(signals),
            cover=tuple(weight * value for weight, value in zip(self._idf, self._covers[number], strict=True)),
            lemmas=frozenset(lemma for form, lemma in self._words[number] if form not in STOP_WORDS),
            signals=signals,
        )

    def _signals(self, number: int, piece: Piece) -> dict[str, float]:
        own = self._own(number, piece)
        near = joined(own, self._near(number, piece))
        lemmas = [lemma for _, lemma in self._words[number]]
        return {
            "heading": self._share(self._frame(piece.heading)),
            "beside_title": self._beside_title(piece, near),
            "rank": self._rank(piece),
            "outright": float(
                self._expected.wanted is not None and has_answer(self._expected, piece.text, piece.heading)
            ),
            "counted": self._counts(unmarked(piece)),
            "defines": self._defines(piece),
            "decides": float(self._asks_whether and bool(_DECIDES.search(piece.text))),
            "reasons": float(self._asks_why and bool(_REASONS.search(piece.text))),
            "broken": float(_is_broken(piece)),
            "meaning": self._nearness(piece.text),
            "meant_above": self._nearness(self._title(piece) + "\n" + piece.heading),
            "meant": self._share(joined(self._match.meant(lemmas), own)) - self._share(own),
        }

    def _defines(self, piece: Piece) -> float:
        if self._defined:
            return defines(unmarked(piece), self._defined)
        return float(self._expected.definition and bool(_DEFINES.match(piece.text)))

    def _nearness(self, text: str) -> float:
        """How near what `text` means is to what the question means, a cosine."""
        if text not in self._meanings:
            self._meanings[text] = float(self._question_meaning @ meaning_of_text(text))
        return self._meanings[text]

    def _own(self, number: int, piece: Piece) -> Cover:
        """What the reader will be shown: an item with the line before its list, a row with its header."""
        return joined(self._covers[number], self._frame(led_in(piece, self._passage_of(piece))))

    def _passage_of(self, piece: Piece) -> Passage:
        return self._passages[piece.passage]

    def _near(self, number: int, piece: Piece) -> Cover:
        """What the piece before it and the heading above it say."""
        follows = piece.position and self._pieces[number - 1].section == piece.section
        before = self._covers[number - 1] if follows else []
        return joined(self._frame(piece.heading), before)

    def _beside_title(self, piece: Piece, near: Cover) -> float:
        """The share that it has of what neither title nor headings say: what is asked about the subject."""
        missing = [weight * (1 - said) for weight, said in zip(self._idf, self._frame(self._title(piece)), strict=True)]
        return sum(map(mul, missing, near)) / sum(missing) if sum(missing) > _LITTLE else 0.0

    def _rank(self, piece: Piece) -> float:
        """1 for the first passage; half is for the place, half for the relevance, which may be as high further on."""
        relevance = self._passages[piece.passage].relevance / self._best if self._best else 1.0
        return (relevance + 1 / (1 + piece.passage)) / 2

    def _title(self, piece: Piece) -> str:
        passage = self._passage_of(piece)
        return " ".join((passage.title, *passage.heading_path, *piece.above))

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


def _sum(signals: Mapping[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in signals.items())


def _is_broken(piece: Piece) -> bool:
    """A sentence that has no end, such as a line of an address, or one whose beginning the chunk has cut off."""
    if piece.kind != "sentence":
        return False
    return not _FINISHED.search(piece.text) or piece.text[0].islower() or bool(_SHORT_LINE.search(piece.text))
