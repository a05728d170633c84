"""Where a line must not break in Polish: within a number, and after a word of one letter."""

import re

_SPACE = "\u00a0"
_PIECES = re.compile(r"<(pre|code)\b.*?</\1>|<[^>]*>|[^<]+", re.S)
_IN_NUMBER = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
_AFTER_LETTER = re.compile(r"(?<![^\s(„\u00a0])([aiouwz]) (?=\S)", re.I)


def typeset(html: str) -> str:
    """`html` with such spaces made unbreakable in its text; code stays as it is, for it is copied."""
    return _PIECES.sub(lambda piece: piece[0] if piece[0].startswith("<") else _unbroken(piece[0]), html)


def _unbroken(text: str) -> str:
    return _AFTER_LETTER.sub(rf"\1{_SPACE}", _IN_NUMBER.sub(_SPACE, text))
