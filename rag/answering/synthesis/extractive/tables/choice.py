"""The row and the cells of a table that a question asks for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.answering.synthesis.extractive.tables.evidence import (
    AskedWords,
    Cover,
    OtherWords,
    asked_words,
    joined,
)
from rag.answering.synthesis.extractive.tables.reading import Row, Table, tables_of
from rag.types import Passage
from rag.understanding.expected import ExpectedAnswer
from rag.understanding.facts.intervals import find_intervals, value_for

How = Literal["interval", "words"]

_AHEAD = 0.5  # words by which the best row must have more of the question than the next one
_LEAST = 0.5  # share of the question's words that row, columns and surroundings must have together
_LEAST_BY_INTERVAL = 0.15  # the same where the value given chooses the row
_PASSAGES = 3  # that are looked at
_RANK = 0.04  # taken off the score for each passage that was found before


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAnswer:
    """Cells of `rows` of `table`, which stands in `passages[passage]`, under the `columns` asked for, from 0.

    `value` is what is in them. `score` in [0, 1] is the share of the question that row, columns and surroundings say;
    `how` the row was chosen. The first column that names the rows is none of `columns`.
    """

    passage: int
    table: Table
    rows: tuple[Row, ...]
    columns: tuple[int, ...]
    value: str
    score: float
    how: How

    @property
    def unique(self) -> bool:
        return len(self.rows) == 1


def table_answer(
    question: str, expected: ExpectedAnswer, passages: Sequence[Passage], *, other_words: OtherWords | None = None
) -> TableAnswer | None:
    """The best of all tables of the first passages; None unless a row is found that the question singles out.

    None too where no thing is asked for: a row is no reason, and decides nothing.
    """
    if expected.wanted is None:
        return None
    without = (expected.noun,) if expected.unit else ()
    words = asked_words(question, without=without, other_words=other_words or {})
    found = [
        answer
        for number, passage in enumerate(passages[:_PASSAGES])
        for answer in _answers(expected, words, passage, number)
    ]
    return max(found, key=lambda one: one.score - _RANK * one.passage, default=None)


def _answers(expected: ExpectedAnswer, words: AskedWords, passage: Passage, number: int) -> Iterator[TableAnswer]:
    if not words.lemmas or ("|" not in passage.text and "\n" not in passage.text):
        return
    title = " ".join((passage.title, *passage.heading_path))
    header = passage.heading_path[-1] if passage.heading_path and " | " in passage.heading_path[-1] else ""
    whole = words.cover(passage.text)
    for table in tables_of(passage.text, header=header):
        around = words.cover(f"{title} {table.introduction}")
        chooser = _RowChooser(expected, words, table, around)
        if (chosen := chooser.by_interval(whole) or chooser.by_words()) and (columns := chooser.columns(chosen)):
            yield TableAnswer(
                passage=number, table=table, rows=chosen.rows, columns=columns,
                value=_value(chosen.rows, columns), score=chosen.score, how=chosen.how,
            )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    rows: tuple[Row, ...]
    named_by: frozenset[int]
    score: float
    how: How


class _RowChooser:
    """Weighs the rows of one table."""

    def __init__(self, expected: ExpectedAnswer, words: AskedWords, table: Table, around: Cover) -> None:
        self._expected = expected
        self._words = words
        self._table = table
        self._around = joined(around, words.cover(" ".join(table.columns)))

    def by_interval(self, whole: Cover) -> _Chosen | None:
        """The row whose interval holds the value given. That may be all that it shares with the question."""
        for column in range(len(self._table.columns)):
            rows = self._holding(column)
            if rows:
                score = _share(joined(self._around, whole, self._words.cover(" ".join(rows[0].cells))))
                if score >= _LEAST_BY_INTERVAL:
                    return _Chosen(rows=rows, named_by=frozenset((column,)), score=score, how="interval")
        return None

    def by_words(self) -> _Chosen | None:
        """The row that has clearly more of the question's words than any other."""
        rows = self._table.rows
        covers = [self._words.cover(" ".join(row.cells)) for row in rows]
        rarity = [1 - sum(values) / (len(rows) + 1) for values in zip(*covers, strict=True)]
        own = [sum(value * weight for value, weight in zip(cover, rarity, strict=True)) for cover in covers]
        best = max(range(len(rows)), key=own.__getitem__)
        others = [value for place, value in enumerate(own) if place != best]
        score = _share(joined(self._around, covers[best]))
        if own[best] - max(others, default=0.0) < _AHEAD or score < _LEAST:
            return None
        named = frozenset(
            n for n, cell in enumerate(rows[best].cells) if any(v >= 0.6 for v in self._words.cover(cell))
        )
        return _Chosen(rows=(rows[best],), named_by=named or frozenset((0,)), score=score, how="words")

    def columns(self, chosen: _Chosen) -> tuple[int, ...]:
        """Of those with the kind of thing asked for the ones that the question names, else all of them."""
        row = chosen.rows[0]
        left = [n for n, cell in enumerate(row.cells) if cell and n and n not in chosen.named_by]
        fitting = [n for n in left if self._expected.has_answer(row.cells[n])]
        named = [(sum(self._words.cover(self._column(n))), n) for n in fitting]
        best = max(named)[0] if named else 0.0
        return tuple(n for value, n in named if value == best)

    def _column(self, number: int) -> str:
        return self._table.columns[number] if number < len(self._table.columns) else ""

    def _holding(self, column: int) -> tuple[Row, ...]:
        """The rows whose interval in `column` holds a value given; none where fewer than two rows have intervals."""
        cells = [(row, find_intervals(row.cells[column])) for row in self._table.rows if column < len(row.cells)]
        ruled = [(row, intervals[0]) for row, intervals in cells if intervals]
        if len(ruled) < 2:
            return ()
        for given in self._expected.given:
            values = [(row, interval, value_for(interval, given)) for row, interval in ruled]
            holding = [row for row, interval, value in values if value is not None and interval.holds(value)]
            if holding and len(holding) < len(ruled):
                return tuple(holding)
        return ()


def _share(cover: Cover) -> float:
    return sum(cover) / len(cover) if cover else 0.0


def _value(rows: Sequence[Row], columns: Sequence[int]) -> str:
    return "; ".join(" – ".join(row.cells[n] for n in columns if n < len(row.cells)) for row in rows)
