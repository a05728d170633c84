"""Misspelt words, by symmetric deletion (Garbe 2012): two words one edit apart share a string one deletion away."""

import math
from collections.abc import Iterator

from ingestion.text.diacritics import ALPHABET, LONGEST

_LONG = 5  # letters from which a word may be corrected at all; shorter ones have too many neighbours


def deletions(word: str) -> list[str]:
    """`word` and every string made by deleting one letter of it, without repetition."""
    return sorted({word, *(word[:i] + word[i + 1 :] for i in range(len(word)))})


def correctable(word: str) -> bool:
    """Numbers, codes, short words and those that are too long to be any are taken as they are."""
    return word.isalpha() and _LONG <= len(word) <= LONGEST


def within_one_edit(left: str, right: str) -> bool:
    """Whether one insertion, deletion, replacement or swap of neighbours makes `left` into `right`."""
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    if len(long) - len(short) > 1:
        return False
    first = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[first:] == long[first + 1 :]
    swapped = short[first + 1 : first + 2] + short[first : first + 1]
    return short[first + 1 :] == long[first + 1 :] or (
        swapped == long[first : first + 2] and short[first + 2 :] == long[first + 2 :]
    )


def single_edits(word: str) -> Iterator[str]:
    """Every word one typing error away from `word` (Norvig 2007), `word` not among them."""
    for i in range(len(word) + 1):
        before, after = word[:i], word[i:]
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in ALPHABET if letter != after[0])
        if len(after) > 1 and after[0] != after[1]:
            yield before + after[1] + after[0] + after[2:]
        yield from (before + letter + after for letter in ALPHABET)


def likelihood(typed: str, meant: str, chunks: int) -> float:
    """How likely `meant`, which stands in `chunks` chunks, is behind `typed`; comparable for one typed word only."""
    same_letters = sorted(typed) == sorted(meant)
    one_missing = len(typed) != len(meant)
    slip = 1.0 if same_letters else 0.9 if one_missing else 0.5
    first_letter = 1.0 if typed[:1] == meant[:1] else 0.6
    return slip * first_letter * (1 + math.log(1 + chunks))
