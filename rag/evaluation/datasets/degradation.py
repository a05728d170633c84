"""Questions as people really type them: without diacritics, with a slip of the finger. The same seed, the same slip."""

import random
import re

from ingestion.text.diacritics import fold

_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def without_diacritics(text: str) -> str:
    return fold(text)


def with_typo(text: str, *, seed: str) -> str:
    """`text` with one letter wrong in one word of at least five letters: dropped, doubled, swapped or a neighbour's.

    A text without such a word stays as it is. The first letter is spared, as most slips spare it
    (Pollock and Zamora 1984).
    """
    chance = random.Random(seed)  # noqa: S311 (it only has to be repeatable)
    words = list(_LONG_WORD.finditer(text))
    if not words:
        return text
    word = chance.choice(words)
    return text[: word.start()] + _misspelt(word.group(), chance) + text[word.end() :]


def _misspelt(word: str, chance: random.Random) -> str:
    """Some of the slips leave some words as they are ("nn" swapped); another is then drawn."""
    slips = [_drop, _double, _swap, _replace]
    while True:
        slip = chance.choice(slips)
        changed = slip(word, chance.randrange(1, len(word)), chance)
        if changed != word:
            return changed


def _drop(word: str, at: int, _chance: random.Random) -> str:
    return word[:at] + word[at + 1 :]


def _double(word: str, at: int, _chance: random.Random) -> str:
    return word[:at] + word[at] + word[at:]


def _swap(word: str, at: int, _chance: random.Random) -> str:
    """With the letter before; the first letter stays."""
    at = max(at, 2)
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]


def _replace(word: str, at: int, chance: random.Random) -> str:
    near = neighbours(word[at])
    return word[:at] + chance.choice(near) + word[at + 1 :] if near else word


def neighbours(letter: str) -> list[str]:
    """The letters beside `letter` on a Polish programmer's keyboard; Polish letters are on the key of their base."""
    plain = fold(letter)
    for row, keys in enumerate(_ROWS):
        if (place := keys.find(plain.lower())) >= 0 and plain:
            # Each row stands half a key to the right of the one above.
            beside = [(row, place - 1), (row, place + 1), (row - 1, place), (row - 1, place + 1)]
            beside += [(row + 1, place - 1), (row + 1, place)]
            found = [_ROWS[r][p] for r, p in beside if 0 <= r < len(_ROWS) and 0 <= p < len(_ROWS[r])]
            return [key.upper() for key in found] if letter.isupper() else found
    return []
