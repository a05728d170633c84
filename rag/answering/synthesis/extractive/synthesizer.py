"""An answer without a language model: the sentences of the passages that answer best, each cited."""

import re
from collections.abc import Generator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import override

from rag.answering.synthesis.extractive.scoring import Scored, score_pieces, signs_of
from rag.answering.synthesis.extractive.selection import CitedBlock, choose, choose_from_each
from rag.answering.synthesis.extractive.sides import score_sides
from rag.answering.synthesis.extractive.tables import TableAnswer, table_answer
from rag.answering.synthesis.extractive.wording import worded
from rag.answering.synthesis.protocol import Synthesis
from rag.answering.synthesis.quotes import citation_from
from rag.question import Background
from rag.search.reading.pieces import Piece, pieces_of
from rag.types import Citation, Passage
from rag.understanding.expected import ExpectedAnswer, expected

_ADDED_UP = 8  # rows whose sum is shown with them, so that a reader can follow it
_FAR_BEHIND = 1.5  # nats, by which a sentence is likelier than a row that has words of the question
_SECOND_THING = re.compile(
    r"\b(?:i|oraz|a) (?:(?:na|do|w|za|po|od) )?(?:il[eu]|gdzie|kto|komu|kiedy|jak\w*|kt[óo]r\w+|czy|co)\b",
    re.IGNORECASE,
)


class ExtractiveSynthesizer:
    """Implements `Synthesizer`: the likeliest answer first, with what else its section says of the matter.

    What it cannot be read without comes with it: the rest of a list that was asked for, a sentence referred to. Where
    a total is asked for, that is said first, and only the rows follow that it was made of.
    """

    def synthesize(
        self, question: str, passages: Sequence[Passage], *, language: str, background: Background | None = None
    ) -> "ExtractiveDraft":
        asked = expected(question)
        pieces = [
            piece
            for number, passage in enumerate(passages)
            for piece in pieces_of(passage.text, passage=number)
            if piece.kind != "code" or "code" in asked.kinds
        ]
        background = background or Background()
        others = background.others
        if sides := score_sides(question, asked, passages, pieces, others):
            blocks = choose_from_each(sides, whole_lists=asked.enumeration)
            times = _times_of(passages, blocks, language)
            return ExtractiveDraft(passages=passages, blocks=blocks, signs=signs_of(sides[0]), headings=times)
        scored = score_pieces(question, asked, passages, pieces, others, spelt=background.spelt)
        signs = signs_of(scored) if scored else {}
        scored = _of_one_time(scored, passages)
        table = table_answer(question, asked, passages, others)
        rows = [one for one in scored if table and _is_row_of(table, one.piece)]
        if table and table.how == "words" and _is_far_behind(rows, scored):
            table, rows = None, []
        both = _is_twofold(asked)
        opening = _opening(table, language) if table and len(rows) == len(table.rows) else ""
        if opening or (rows and table and table.how == "interval" and not both):
            scored = rows  # what was asked has chosen the rows: nothing else belongs to them
        blocks = choose(scored, first=rows, both=both, whole_lists=asked.enumeration)
        return ExtractiveDraft(passages=passages, blocks=blocks, headings={0: opening}, signs=signs)


def _of_one_time(scored: Sequence[Scored], passages: Sequence[Passage]) -> list[Scored]:
    """Without what documents say that have ended, where one that is in force answers best."""
    best = max(scored, key=lambda one: one.score, default=None)
    if best is None or passages[best.piece.passage].held:
        return list(scored)
    return [one for one in scored if not passages[one.piece.passage].held]


def _is_twofold(asked: ExpectedAnswer) -> bool:
    """Whether it asks for two things, or for one beside another, which different documents may have."""
    return "comparison" in asked.kinds or bool(_SECOND_THING.search(asked.question))


def _opening(table: TableAnswer, language: str) -> str:
    """The line above the rows that says what they come to: a sum with its addends, cited like the rows; of many rows,
    and of a count, no claim of its own, for the rows bear it out.
    """
    with override(language):
        if table.how == "count":
            return _("There are %(total)s:") % {"total": table.total}
        if table.how == "sum" and len(table.addends) <= _ADDED_UP:
            return _("Together: %(sum)s") % {"sum": f"{' + '.join(table.addends)} = {table.total}"} + " [1]"
        return _("Together %(total)s:") % {"total": table.total} if table.how == "sum" else ""


def _times_of(passages: Sequence[Passage], blocks: Sequence[CitedBlock], language: str) -> Mapping[int, str]:
    """Above which block it is said that what follows was, or is; nothing where all of it is of one time."""
    held = [bool(passages[block.passage].held) for block in blocks]
    with override(language):
        said = {True: _("Before:"), False: _("Today:")}
        turns = [number for number in range(len(held)) if number == 0 or held[number] != held[number - 1]]
    return {number: said[held[number]] for number in turns} if len(set(held)) == 2 else {}


def _is_far_behind(rows: Sequence[Scored], scored: Sequence[Scored]) -> bool:
    """Whether a sentence answers so much better that words in common with a row mean nothing."""
    best = max(one.score for one in scored)
    return max((one.score for one in rows), default=best) < best - _FAR_BEHIND


def _is_row_of(table: TableAnswer, piece: Piece) -> bool:
    return piece.passage == table.passage and any(row.start < piece.end and piece.start < row.end for row in table.rows)


class ExtractiveDraft:
    """Implements `rag.answering.synthesis.protocol.Draft`; complete before it is read. Every block is a citation."""

    def __init__(
        self,
        *,
        passages: Sequence[Passage],
        blocks: Sequence[CitedBlock],
        signs: Mapping[str, float],
        headings: Mapping[int, str] | None = None,
    ) -> None:
        """`headings`: lines that claim nothing, by the number of the block that they stand above."""
        self._passages = passages
        self._blocks = blocks
        self._headings = headings or {}
        self._signs = signs
        self._text = ""
        self._citations: list[Citation] = []

    def __iter__(self) -> Generator[str | Citation, None, None]:
        for place, block in enumerate(self._blocks):
            passage = self._passages[block.passage]
            citation = citation_from(passage, number=place + 1, quote_span=block.span)
            self._citations.append(citation)
            yield citation
            said = worded(block, passage.text, number=place + 1)
            piece = ("\n\n" if self._text else "") + "\n\n".join(filter(None, (self._headings.get(place), said)))
            self._text += piece
            yield piece

    @property
    def result(self) -> Synthesis:
        return Synthesis(
            text=self._text,
            citations=tuple(self._citations),
            found=bool(self._blocks),
            passages_used=len({block.passage for block in self._blocks}),
            signs=self._signs,
        )
