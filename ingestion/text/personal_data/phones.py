"""Polish telephone numbers: nine digits, of which the first two name a network or a region (plan of numbers of UKE)."""

import re

_MOBILE = frozenset("45 50 51 53 57 60 66 69 72 73 78 79 88".split())
_REGIONS = frozenset(
    "12 13 14 15 16 17 18 22 23 24 25 29 32 33 34 41 42 43 44 46 48 52 54 55 56 58 59 61 62 63 65 67 68 71 74 75 76 "
    "77 81 82 83 84 85 86 87 89 91 94 95".split()
)
_NOT_DIGITS = re.compile(r"\D+")


def is_phone(number: str) -> bool:
    """Whether the nine digits, whatever stands between them and with or without the country's 48, can be called."""
    digits = _NOT_DIGITS.sub("", number)
    if len(digits) > 9:
        digits = digits.removeprefix("00").removeprefix("48")
    return len(digits) == 9 and digits[:2] in _MOBILE | _REGIONS


def is_mobile(number: str) -> bool:
    return is_phone(number) and _NOT_DIGITS.sub("", number)[-9:-7] in _MOBILE
