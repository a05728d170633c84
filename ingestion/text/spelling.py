"""Misspelt words: those one typing error away from a word (Norvig 2007)."""

import math
from collections.abc import Iterator
from functools import lru_cache

from ingestion.text.diacritics import ALPHABET, LONGEST, fold

_LONG = 5  # letters from which a word may be corrected at all; shorter ones have too many neighbours
_LATIN = "abcdefghijklmnopqrstuvwxyzßæðþıœ"  # letters that folding leaves as they are
_SOUND_ALIKE = (
    ("u", "ó"), ("rz", "ż"), ("h", "ch"), ("on", "ą"), ("om", "ą"), ("en", "ę"), ("em", "ę"),
    ("p", "b"), ("t", "d"), ("k", "g"), ("f", "w"), ("s", "z"), ("ś", "ź"), ("sz", "ż"),
)  # fmt: skip
_ALPHABET_SIZE = 128  # code points that hold an alphabet: of what is larger, such as Chinese, a word's own part


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


def single_edits(word: str, letters: str = ALPHABET) -> Iterator[str]:
    """Every word one typing error away from `word`, `word` not among them."""
    for i in range(len(word) + 1):
        before, after = word[:i], word[i:]
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in letters if letter != after[0])
        if len(after) > 1 and after[0] != after[1]:
            yield before + after[1] + after[0] + after[2:]
        yield from (before + letter + after for letter in letters)


def slips(word: str) -> Iterator[str]:
    """What `word` most often stands for where it is none: two neighbours swapped, a letter typed twice, and what sounds
    alike in one place ("komurka", "szypko", "przełonczyć").
    """
    for i in range(len(word) - 1):
        if word[i] != word[i + 1]:
            yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        else:
            yield word[:i] + word[i + 1 :]
    for one, other in _SOUND_ALIKE:
        for written, meant in ((one, other), (other, one)):
            at = word.find(written)
            while at >= 0:
                yield word[:at] + meant + word[at + len(written) :]
                at = word.find(written, at + 1)


def neighbours(folded: str) -> set[str]:
    """`folded`, a word without diacritics, and every such word within one edit of it: some 500, which an index of words
    answers sooner than one of their deletions (Garbe 2012) would, and without its room.
    """
    alphabets = {letter: _alphabet(ord(letter) // _ALPHABET_SIZE) for letter in folded if letter not in _LATIN}
    return {folded, *single_edits(folded, "".join(sorted({*_LATIN, *"".join(alphabets.values())})))}


@lru_cache(maxsize=1_000)
def _alphabet(place: int) -> str:
    """The letters, lower case and without diacritics, among the code points at this place."""
    signs = map(chr, range(place * _ALPHABET_SIZE, (place + 1) * _ALPHABET_SIZE))
    return "".join(sign for sign in signs if sign.isalpha() and sign == sign.lower() == fold(sign))


def likelihood(typed: str, meant: str, chunks: int) -> float:
    """How likely `meant`, which stands in `chunks` chunks, is behind `typed`; comparable for one typed word only."""
    same_letters = sorted(typed) == sorted(meant)
    one_missing = len(typed) != len(meant)
    slip = 1.0 if same_letters else 0.9 if one_missing else 0.5
    first_letter = 1.0 if typed[:1] == meant[:1] else 0.6
    return slip * first_letter * (1 + math.log(1 + chunks))
