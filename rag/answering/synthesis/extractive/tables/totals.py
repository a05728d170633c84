"""What the rows of a table come to: a sum of a column, a count of the rows."""

import re
from collections.abc import Sequence

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from rag.answering.passage_tables import PassageTable, TableRow
from rag.answering.synthesis.extractive.matching import Cover
from rag.answering.synthesis.extractive.tables.choice import ChosenRows
from rag.answering.synthesis.extractive.tables.evidence import AskedWords, all_of, share_of
from rag.understanding.expected import ExpectedAnswer
from rag.understanding.facts.fact import Fact
from rag.understanding.facts.quantities import find_quantities

_TOGETHER = re.compile(r"\b(?:razem|lacznie|w sumie|sume|suma|ogolem|in total|altogether)\b")
_HOW_MANY_ARE = re.compile(r"\bil[eu] (?:jest |mamy |macie |ma |mam |to |bylo |sa )+")
_TOTAL = frozenset(("razem", "suma", "ogółem", "łącznie", "total"))
_MOST_ROWS = 20  # a reader adds up no more to see that it is right
_LEAST = 0.5  # share of the question's words that the table and what stands around it must have
_UNITS = {"PLN": " zł", "EUR": " euro", "USD": " USD", "%": "%"}


def total(expected: ExpectedAnswer, words: AskedWords, table: PassageTable, around: Cover) -> ChosenRows | None:
    """What is asked for "razem" or by "ile jest": the row of the total where the table has one, else a sum or a count.

    Only rows that the question speaks of are counted, all where it speaks of none.
    """
    asking = fold(expected.question).lower()
    around = all_of(around, words.cover(" ".join(table.columns)))
    rows = [row for row in table.rows if row.name.lower().strip(" :") not in _TOTAL]
    spoken_of = [row for row in rows if words.any_in(" ".join(row.cells))] or rows
    score = share_of(all_of(around, *(words.cover(" ".join(row.cells)) for row in spoken_of)))
    if len(rows) < 2 or len(spoken_of) > _MOST_ROWS or score < _LEAST:
        return None
    if _TOGETHER.search(asking):
        return _sum(expected, words, table, spoken_of, score)
    if _HOW_MANY_ARE.search(asking) and _counts(expected, table):
        return ChosenRows(rows=tuple(spoken_of), score=score, how="count", total=str(len(spoken_of)))
    return None


def _sum(
    expected: ExpectedAnswer, words: AskedWords, table: PassageTable, rows: Sequence[TableRow], score: float
) -> ChosenRows | None:
    column = _summed_column(expected, words, table, rows)
    if column is None:
        return None
    stated = next((row for row in table.rows if row.name.lower().strip(" :") in _TOTAL), None)
    if stated and len(rows) == len(table.rows) - 1:
        return ChosenRows(rows=(stated,), score=score, how="words")
    facts = [_only_fact(row.cells[column]) for row in rows]
    values = [float(fact.value[0] or 0.0) for fact in facts if fact]
    unit = _UNITS.get(next(fact.dimension for fact in facts if fact), "")
    addends = tuple(fact.written for fact in facts if fact)
    return ChosenRows(rows=tuple(rows), score=score, how="sum", total=_written(sum(values)) + unit, addends=addends)


def _summed_column(
    expected: ExpectedAnswer, words: AskedWords, table: PassageTable, rows: Sequence[TableRow]
) -> int | None:
    """The column of one quantity in each row, all of one dimension, that the question names best."""
    fitting = [
        (sum(words.cover(table.columns[n])) + expected.fits(rows[0].cells[n]), -n)
        for n in range(1, len(table.columns))
        if len(rows) > 1 and len({fact.dimension if fact else None for fact in _facts(rows, n)} | {"count"}) <= 2
        and all(_facts(rows, n))
    ]  # fmt: skip
    return -max(fitting)[1] if fitting else None


def _facts(rows: Sequence[TableRow], column: int) -> list[Fact | None]:
    return [_only_fact(row.cells[column]) if column < len(row.cells) else None for row in rows]


def _only_fact(cell: str) -> Fact | None:
    facts = find_quantities(cell, analyser().tokens(cell))
    return facts[0] if len(facts) == 1 and isinstance(facts[0].value[0], float) else None


def _counts(expected: ExpectedAnswer, table: PassageTable) -> bool:
    """Whether what the question counts is what the rows are called."""
    names = [lemma for _, lemma in analyser().words(f"{table.columns[0]} {table.introduction}")]
    return bool(expected.noun) and not expected.unit and expected.noun in names


def _written(value: float) -> str:
    whole, _, decimals = f"{value:,.2f}".partition(".")
    return whole.replace(",", " ") + (f",{decimals}" if decimals != "00" else "")
