"""A page cut into pieces of the size of a passage."""

import re
from collections.abc import Iterator

from ingestion.text.sentences import sentence_spans

WORDS = 200

_WORD = re.compile(r"\S+")


def pieces(text: str, *, words: int = WORDS) -> list[tuple[int, int]]:
    """Character ranges [start, end) of whole sentences, about `words` long, in order, that cover all but white space.

    A sentence that is longer than that alone is cut between words.
    """
    cut: list[tuple[int, int]] = []
    start = end = count = 0
    for sentence_start, sentence_end, length in _sentences(text, words):
        if count and count + length > words:
            cut.append((start, end))
            count = 0
        start = sentence_start if count == 0 else start
        end, count = sentence_end, count + length
    return [*cut, (start, end)] if count else cut


def _sentences(text: str, most: int) -> Iterator[tuple[int, int, int]]:
    """(start, end, words), none of more than `most` words."""
    for start, end in sentence_spans(text):
        found = [match.span() for match in _WORD.finditer(text, start, end)]
        for first in range(0, len(found), most):
            part = found[first : first + most]
            yield part[0][0], part[-1][1], len(part)
