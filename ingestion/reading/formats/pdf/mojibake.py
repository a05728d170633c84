"""Polish letters that a PDF names wrongly: "wiêkszoœæ", "zaj¦¢". The bytes are right, their code page is lost."""

import re
from collections.abc import Mapping
from functools import cache

from ingestion.reading.dictionary import is_polish_word

_SUSPICIOUS = re.compile(r"[^\W\d_][\u00a1-\u00bf\u00c6\u00ca\u00e6\u00ea\u00f1\u00d1\u0152\u0153\u0178\u00a5\u02dc]")
_WORD = re.compile(r"[^\s!-@\[-`{-~„”–—…•]+")
_MIN_WORDS = 3
_MIN_KNOWN = 0.6

# The Cork encoding of TeX (Ferguson 1990) at the places of the Polish letters.
_CORK = {"¡": "ą", "¢": "ć", "¦": "ę", "ª": "ł", "«": "ń", "±": "ś", "¹": "ź", "»": "ż"}


@cache
def _tables() -> tuple[Mapping[int, str], ...]:
    return (
        _reading("cp1252", "cp1250"),
        _reading("latin-1", "iso8859_2"),
        str.maketrans(_CORK),
    )


def _reading(wrong: str, right: str) -> dict[int, str]:
    """What each letter becomes whose byte was taken for one of the encoding `wrong`."""
    pairs = ((bytes([code]), code) for code in range(0x80, 0x100))
    found = ((byte.decode(wrong, "ignore"), byte.decode(right, "ignore")) for byte, _ in pairs)
    return {ord(one): other for one, other in found if one and other and one != other}


def misread_letters(text: str, *, min_words: int = _MIN_WORDS) -> Mapping[int, str]:
    """The table for `str.translate` that makes words of what is none; empty where nothing is wrong.

    It is asked of at least `min_words` different words with letters that no Polish word has.
    """
    if not _SUSPICIOUS.search(text):
        return {}
    words = {word for word in _WORD.findall(text) if _SUSPICIOUS.search(word) and not is_polish_word(word)}
    if len(words) < min_words:
        return {}
    best = max(_tables(), key=lambda table: _known(words, table))
    return best if _known(words, best) >= _MIN_KNOWN * len(words) else {}


def _known(words: set[str], table: Mapping[int, str]) -> int:
    return sum(is_polish_word(word.translate(table)) for word in words)
