"""The pieces for either side of a comparison: each is looked for where its own words are said, titles before text; how
it was, in what is no longer in force.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from django.utils import timezone

from ingestion.text.analyser import analyser
from rag.answering.synthesis.extractive.matching import WordMatcher
from rag.answering.synthesis.extractive.scoring import Scored, score_pieces
from rag.question import SubstituteWords
from rag.search.reading.pieces import Piece
from rag.types import Passage
from rag.understanding.asked_time import compares_times, without_times
from rag.understanding.comparison import compared_things, question_of_each
from rag.understanding.expected import ExpectedAnswer

_NEARLY = 0.2  # of the words that tell a side, a section that has so much less than the best one is read too
_LEAST = 0.5  # and one that has less than this says nothing of it
_BEHIND = 1.0  # nats: a sentence about both that is so much likelier answers by itself
_FAR_BEHIND = 4.0  # nats between the likeliest sentences of two times

Score = Callable[[str, Sequence[Piece]], list[Scored]]
"""Of a question and pieces that may answer it."""


def score_sides(
    question: str,
    expected: ExpectedAnswer,
    passages: Sequence[Passage],
    pieces: Sequence[Piece],
    others: Sequence[SubstituteWords],
) -> list[list[Scored]]:
    """Scored pieces for each of two things that the question compares, told in a document of its own; none where it
    compares none, or where a sentence about both is likelier to answer (docs/benchmarks.md).
    """

    def score(asked: str, some: Sequence[Piece]) -> list[Scored]:
        return score_pieces(asked, expected, passages, some, others)

    things = compared_things(question)
    if things is None:
        return _score_times(question, passages, pieces, score)
    each = zip(question_of_each(question), things, reversed(things), strict=True)
    about = [(side, _pieces_about(_own_words(thing, other), passages, pieces, others)) for side, thing, other in each]
    sides = [score(side, found) for side, found in about if found]
    together = _best(score(question, pieces))
    documents = {passages[max(side, key=lambda one: one.score).piece.passage].document_id for side in sides}
    apart = len(documents) == len(things)
    return sides if apart and all(_best(side) > together - _BEHIND for side in sides) else []


def _score_times(
    question: str, passages: Sequence[Passage], pieces: Sequence[Piece], score: Score
) -> list[list[Scored]]:
    """What was, and what is; none where the question asks of one time alone, or one of the two says far less of it."""
    today = timezone.localdate()
    if not compares_times(question, today=today):
        return []
    held = [passage.held for passage in passages]
    over = [piece for piece in pieces if (time := held[piece.passage]) and time.is_over(today)]
    present = [piece for piece in pieces if not held[piece.passage]]
    asked = without_times(question)
    sides = [scored for side in (over, present) if side and (scored := score(asked, side))]
    best = sorted(map(_best, sides))
    return sides if len(sides) == 2 and best[0] > best[1] - _FAR_BEHIND else []


def _best(scored: Sequence[Scored]) -> float:
    return max((one.score for one in scored), default=0.0)


def _own_words(thing: str, other: str) -> str:
    """What tells one from the other: "na żądanie" of "urlop na żądanie" beside "urlop bezpłatny"."""
    shared = {token.lemma for token in analyser().tokens(other)}
    own = [thing[token.start : token.end] for token in analyser().content_tokens(thing) if token.lemma not in shared]
    return " ".join(own) or thing


def _pieces_about(
    words: str, passages: Sequence[Passage], pieces: Sequence[Piece], others: Sequence[SubstituteWords]
) -> list[Piece]:
    match = WordMatcher(words, others)
    sections: dict[tuple[int, int], list[Piece]] = defaultdict(list)
    for piece in pieces:
        sections[piece.passage, piece.section].append(piece)
    said = {place: _said_in(match, passages[place[0]], section) for place, section in sections.items()}
    least = max(_LEAST, max(said.values(), default=0.0) - _NEARLY)
    return [piece for piece in pieces if said[piece.passage, piece.section] >= least]


def _said_in(match: WordMatcher, passage: Passage, section: Sequence[Piece]) -> float:
    """In [0, 2]: what its text says counts again where what stands above it says so too."""
    above = (passage.title, *passage.heading_path, *section[0].above, section[0].heading)
    return _said(match, " ".join(above)) + _said(match, " ".join(piece.text for piece in section))


def _said(match: WordMatcher, text: str) -> float:
    """In [0, 1]."""
    cover = match.cover(lemma for _, lemma in analyser().words(text))
    return sum(cover) / len(cover) if cover else 0.0
