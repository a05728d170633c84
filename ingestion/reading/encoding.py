"""Bytes as clean text: the encoding by evidence, then one form of newline and of every letter."""

import re
import unicodedata

from knowledgetree.charsets import guessed_charset

_NEWLINE = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Soft hyphens and zero-width characters split words for search and are never seen; lone surrogates and
# non-characters cannot be stored in PostgreSQL.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff\ud800-\udfff]")
# Polish typesetting puts a hard space after "w", "i", "z"; readers and models quote with an ordinary one.
# Between digits it says that "8 029" is one number, so there it stays.
_HARD_SPACE = re.compile(r"(?<!\d)\u00a0|\u00a0(?!\d)")


def decode(content: bytes) -> str:
    """The text of `content` in the encoding that its bytes speak for, cleaned as by `clean`.

    Never fails: a byte that has no meaning becomes U+FFFD.
    """
    return clean(content.decode(guessed_charset(content), errors="replace"))


def clean(text: str) -> str:
    """`text` in NFC with "\\n" newlines and without control, zero-width and unstorable characters (tabs
    stay).
    """
    text = _INVISIBLE.sub("", _NEWLINE.sub("\n", text))
    return unicodedata.normalize("NFC", _HARD_SPACE.sub(" ", text))
