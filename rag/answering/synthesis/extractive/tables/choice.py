"""The row of a table that a question singles out, if it has what is asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.answering.passage_tables import PassageTable, TableRow
from rag.answering.synthesis.extractive.matching import Cover
from rag.answering.synthesis.extractive.tables.evidence import AskedWords, all_of, share_of
from rag.understanding.expected import ExpectedAnswer
from rag.understanding.facts.intervals import Interval, find_intervals, value_for

How = Literal["interval", "words", "sum", "count"]

_AHEAD = 0.5  # words by which the best row must have more of the question than the next one
_LEAST = 0.5  # share of the question's words that row, columns and surroundings must have together
_LEAST_OF_NAMED = 0.3  # the same where the question has every word of the row's name
_LEAST_BY_INTERVAL = 0.15  # the same where the value given chooses the row


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenRows:
    """`rows` that have what is asked for, and how far the question led there; `total` is what they come to, a sum that
    of `addends`, as they are written there.
    """

    rows: tuple[TableRow, ...]
    score: float
    how: How
    total: str = ""
    addends: tuple[str, ...] = ()


class RowChooser:
    """Weighs the rows of one table. `around`: what the title, the headings and the lines above it have."""

    def __init__(self, expected: ExpectedAnswer, words: AskedWords, table: PassageTable, around: Cover) -> None:
        self._expected = expected
        self._words = words
        self._table = table
        self._around = all_of(around, words.cover(" ".join(table.columns)))

    def by_interval(self, whole: Cover) -> ChosenRows | None:
        """The row whose interval holds the value given; that may be all that it shares with the question.

        `whole` is what the passage has.
        """
        for column in range(len(self._table.columns)):
            rows = self._holding(column)
            if rows:
                score = share_of(all_of(self._around, whole, self._words.cover(" ".join(rows[0].cells))))
                if score >= _LEAST_BY_INTERVAL:
                    return self._answer(rows, frozenset((column,)), score, "interval")
        return None

    def by_words(self) -> ChosenRows | None:
        """The row that has clearly more of the question's words than any other."""
        rows = self._table.rows
        covers = [all_of(*map(self._words.cover, row.cells)) for row in rows]
        rarity = [1 - sum(values) / (len(rows) + 1) for values in zip(*covers, strict=True)]
        own = [sum(value * weight for value, weight in zip(cover, rarity, strict=True)) for cover in covers]
        best = max(range(len(rows)), key=own.__getitem__)
        ahead = own[best] - max((value for place, value in enumerate(own) if place != best), default=0.0)
        score = share_of(all_of(self._around, covers[best]))
        if ahead < _AHEAD or score < (_LEAST_OF_NAMED if self._words.have(rows[best].name) else _LEAST):
            return None
        return self._answer((rows[best],), self._naming(rows[best]), score, "words")

    def _naming(self, row: TableRow) -> frozenset[int]:
        """The cells by which the question names the row: "30 dni" is none after "dzienna", which says as much of it."""
        naming, said = set(), [0.0] * len(self._around)
        for place, cover in enumerate(map(self._words.cover, row.cells)):
            if any(value > known for value, known in zip(cover, said, strict=True)):
                naming.add(place)
                said = all_of(said, cover)
        return frozenset(naming)

    def _answer(self, rows: tuple[TableRow, ...], naming: frozenset[int], score: float, how: How) -> ChosenRows | None:
        """None where no cell beside the row's name and those that name it has the kind of thing asked for."""
        left = (cell for n, cell in enumerate(rows[0].cells) if cell and n and n not in naming)
        return ChosenRows(rows=rows, score=score, how=how) if any(map(self._expected.has_answer, left)) else None

    def _holding(self, column: int) -> tuple[TableRow, ...]:
        """The rows whose interval in `column` holds a value given; none where fewer than two rows have intervals."""
        cells = [(row, find_intervals(row.cells[column])) for row in self._table.rows if column < len(row.cells)]
        ruled = [(row, intervals[0]) for row, intervals in cells if intervals]
        for given in self._expected.given if len(ruled) > 1 else ():
            values = [(row, interval, value_for(interval, given)) for row, interval in ruled]
            holding = [
                (interval, row) for row, interval, value in values if value is not None and interval.holds(value)
            ]
            if 0 < len(holding) < len(ruled):
                return tuple(_tightest(holding))
        return ()


def _tightest(holding: Sequence[tuple[Interval, TableRow]]) -> Iterator[TableRow]:
    """Of "do 10 000 zł" and "do 50 000 zł" the first; all where none lies within the others."""
    for interval, row in holding:
        others = (other for other, _ in holding if other is not interval)
        if not any(interval.low <= other.low and other.high <= interval.high for other in others):
            yield row
