"""Checksums of Polish identity documents; of all other numbers python-stdnum has them."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# The weight of the check digit is odd too: then the whole sum is divisible by ten (ICAO's 7-3-1 scheme, varied).
_IDENTITY_CARD = (7, 3, 1, 9, 7, 3, 1, 7, 3)
_PASSPORT = (7, 3, 9, 1, 7, 3, 1, 7, 3)


def is_identity_card(number: str) -> bool:
    """Three letters and six digits, such as ABA300000."""
    return _is_weighted(number, letters=3, weights=_IDENTITY_CARD)


def is_passport(number: str) -> bool:
    """Two letters and seven digits, such as ZS0000177."""
    return _is_weighted(number, letters=2, weights=_PASSPORT)


def _is_weighted(number: str, *, letters: int, weights: tuple[int, ...]) -> bool:
    if len(number) != len(weights) or not set(number[:letters]) <= set(_LETTERS) or not number[letters:].isdecimal():
        return False
    values = (_LETTERS.index(sign) + 10 if sign in _LETTERS else int(sign) for sign in number)
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) % 10 == 0
