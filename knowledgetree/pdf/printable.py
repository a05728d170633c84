"""What may stand in a file that is printed. By itself: who makes no PDF loads no library for it."""

import re

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML may have, so neither a paragraph of a PDF nor a Word file."""


def printable(text: str) -> str:
    return _UNPRINTABLE.sub("", text)
