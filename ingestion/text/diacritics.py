"""Polish letters, and words without their diacritics, for queries typed on a keyboard that has none."""

import unicodedata
from collections.abc import Iterator
from itertools import combinations, islice

ALPHABET = "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"
POLISH_LETTERS = {"a": "ą", "c": "ć", "e": "ę", "l": "ł", "n": "ń", "o": "ó", "s": "ś", "z": "żź"}
"""By the letter under which they are found on a keyboard that lacks them."""

_STROKES = str.maketrans("łŁøØđĐ", "lLoOdD")  # letters that Unicode does not decompose


def fold(text: str) -> str:
    """`text` without diacritics: "Żółw" becomes "Zolw". The length may change for letters outside Polish."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_STROKES))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


LONGEST = 24  # letters of a word that is guessed at; "wspolodpowiedzialnoscia" has 23
_MOST = 1_000


def restorations(word: str) -> Iterator[str]:
    """Spellings of `word`, lower case, with some of its letters turned into their Polish counterparts.

    Fewest changes first, at most 1,000, which are all for ten such letters; none of a word of over 24 letters.
    """
    return islice(_restorations(word), _MOST) if len(word) <= LONGEST else iter(())


def _restorations(word: str) -> Iterator[str]:
    places = [(i, letter) for i, plain in enumerate(word) for letter in POLISH_LETTERS.get(plain, "")]
    for size in range(1, len(places) + 1):
        for chosen in combinations(places, size):
            letters = list(word)
            for position, letter in chosen:
                letters[position] = letter
            if len({position for position, _ in chosen}) == size:
                yield "".join(letters)
