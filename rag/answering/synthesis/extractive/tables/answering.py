"""The answer that a table of the found passages gives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.answering.passage_tables import TableRow, is_whole, tables_of
from rag.answering.synthesis.extractive.tables.choice import ChosenRows, How, RowChooser
from rag.answering.synthesis.extractive.tables.evidence import AskedWords
from rag.answering.synthesis.extractive.tables.totals import total
from rag.question import SubstituteWords
from rag.types import Passage
from rag.understanding.expected import ExpectedAnswer

_PASSAGES = 3  # that are looked at
_RANK = 0.04  # taken off the score for each passage that was found before
_MOST_ROWS = 200  # of a table; one is not read through for each question, a catalogue is


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAnswer:
    """`rows` of a table of `passages[passage]`, which have what is asked for.

    `total` is what they come to, "9 699,50 zł", where that was asked for, else "", and `addends` of what as written.
    `score` in [0, 1] is the share of the question that rows, columns and surroundings say.
    """

    passage: int
    rows: tuple[TableRow, ...]
    score: float
    how: How
    total: str = ""
    addends: tuple[str, ...] = ()


def table_answer(
    question: str, expected: ExpectedAnswer, passages: Sequence[Passage], others: Sequence[SubstituteWords] = ()
) -> TableAnswer | None:
    """The best of all tables of the first passages; None unless a row is found that the question singles out.

    None too where no thing is asked for: a row is no reason, and decides nothing.
    """
    if expected.wanted is None:
        return None
    words = AskedWords(question, expected, others)
    found = [
        TableAnswer(
            passage=number,
            rows=chosen.rows,
            score=chosen.score,
            how=chosen.how,
            total=chosen.total,
            addends=chosen.addends,
        )
        for number, passage in enumerate(passages[:_PASSAGES])
        for chosen in _chosen(expected, words, passage)
    ]
    return max(found, key=lambda one: one.score - _RANK * one.passage, default=None)


def _chosen(expected: ExpectedAnswer, words: AskedWords, passage: Passage) -> Iterator[ChosenRows]:
    header = passage.heading_path[-1] if passage.heading_path and " | " in passage.heading_path[-1] else ""
    tables = [table for table in tables_of(passage.text, header=header) if len(table.rows) <= _MOST_ROWS]
    if not tables:
        return
    whole = words.cover(passage.text)
    title = " ".join((passage.title, *passage.heading_path))
    for table in tables:
        around = words.cover(f"{title} {table.introduction}")
        chooser = RowChooser(expected, words, table, around)
        counted = total(expected, words, table, around) if is_whole(table, passage) else None
        if chosen := chooser.by_interval(whole) or counted or chooser.by_words():
            yield chosen
