"""Misspelt words, by symmetric deletion (Garbe 2012): two words one edit apart share a string one deletion away."""

_LONG = 5  # letters from which a word may be corrected at all; shorter ones have too many neighbours


def deletions(word: str) -> list[str]:
    """`word` and every string made by deleting one letter of it, without repetition."""
    return sorted({word, *(word[:i] + word[i + 1 :] for i in range(len(word)))})


def correctable(word: str) -> bool:
    """Numbers, codes and short words are taken as they are."""
    return word.isalpha() and len(word) >= _LONG


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
