"""Numbers in a text, in Polish notation ("1 234,56", "1,2 tys.") and in words ("dwa tysiące trzysta")."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ingestion.text.numerals import GROUPED, SHORT_MULTIPLIERS, multiplier_forms, number_forms, read_digits
from ingestion.types import Token

_DIGITS = re.compile(
    rf"(?<![\w.,/])(?:{GROUPED}(?:,\d+)?|\d{{1,3}}(?:\.\d{{3}})+,\d+"
    r"|\d+(?:[.,]\d+)?)(?![\w]|[.,/]\d)"
)
_ENUMERATED = re.compile(r"\s*(?:[-*•–—>]\s+)*(?:\(?\d{1,3}[.)]\s|§\s*\d+[a-z]?\.?\s)")


class Numeral(NamedTuple):
    """Characters [start, end) are `value`, right within `slack`: half of the last digit of "1,2 tys."."""

    value: float
    start: int
    end: int
    slack: float


def find_numerals(text: str, tokens: Sequence[Token]) -> list[Numeral]:
    """In order. The number of a list item is none. `tokens` are those of `text`."""
    begins = marker.end() if (marker := _ENUMERATED.match(text)) else 0
    words = [token for token in tokens if token.form[0].isalpha()]
    digits = [_multiplied(match, words, text) for match in _DIGITS.finditer(text, begins)]
    return sorted([*digits, *_in_words(text, words, digits)], key=lambda numeral: numeral.start)


def _multiplied(match: re.Match[str], words: Sequence[Token], text: str) -> Numeral:
    value = read_digits(match.group())
    following = next((word for word in words if word.start > match.start()), None)
    times = multiplier_forms().get(following.form) if following else None
    if following is None or times is None or text[match.end() : following.start].strip():
        return Numeral(value, *match.span(), 0.0)
    decimals = len(match.group().partition(",")[2])
    return Numeral(value * times, match.start(), following.end, 0.5 * times / 10**decimals if decimals else 0.0)


def _in_words(text: str, words: Sequence[Token], digits: Sequence[Numeral]) -> Iterator[Numeral]:
    """Runs of numerals with nothing but space between: hundreds and below add up, a multiplier closes its group."""
    run: list[Token] = []
    for word in words:
        if any(digit.start <= word.start < digit.end for digit in digits):
            continue
        if (run and text[run[-1].end : word.start].strip()) or not _is_numeral(word):
            yield from _summed(run)
            run = []
        if _is_numeral(word):
            run.append(word)
    yield from _summed(run)


def _is_numeral(word: Token) -> bool:
    return word.form in number_forms() or (word.form in multiplier_forms() and word.form not in SHORT_MULTIPLIERS)


def _summed(run: Sequence[Token]) -> Iterator[Numeral]:
    total = group = 0.0
    for word in run:
        if times := multiplier_forms().get(word.form):
            total, group = total + (group or 1.0) * times, 0.0
        else:
            group += number_forms()[word.form]
    if run:
        yield Numeral(total + group, run[0].start, run[-1].end, 0.0)
