"""Words without diacritics, for queries typed on a keyboard that has none."""

import unicodedata
from collections.abc import Iterator
from itertools import combinations

_STROKES = str.maketrans("łŁøØđĐ", "lLoOdD")  # letters that Unicode does not decompose


def fold(text: str) -> str:
    """`text` without diacritics: "Żółw" becomes "Zolw". The length may change for letters outside Polish."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_STROKES))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


_POLISH_LETTERS = {"a": "ą", "c": "ć", "e": "ę", "l": "ł", "n": "ń", "o": "ó", "s": "ś", "z": "żź"}


def restorations(word: str, *, most: int = 3) -> Iterator[str]:
    """Every spelling of `word`, lower case, with 1 to `most` of its letters turned into their Polish counterparts.

    Fewest changes first. With `most` 3 a word of ten such letters has some 300 spellings.
    """
    places = [(i, letter) for i, plain in enumerate(word) for letter in _POLISH_LETTERS.get(plain, "")]
    for size in range(1, most + 1):
        for chosen in combinations(places, size):
            letters = list(word)
            for position, letter in chosen:
                letters[position] = letter
            if len({position for position, _ in chosen}) == size:
                yield "".join(letters)
