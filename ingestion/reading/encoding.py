"""Bytes as clean text: the encoding by evidence, then one form of newline and of every letter."""

import codecs
import re
import unicodedata

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_POLISH = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
# What the six letters on which the two code pages disagree become when the wrong one is chosen.
_WRONG_LETTERS = re.compile(r"[\u0080-\u009f]|(?<=\w)[ąšźˇŚ¦¬±¶Ľľ¹Ľťś¥](?=\w)")
_POLISH_LETTER = re.compile(f"[{_POLISH}]")
_NEWLINE = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Soft hyphens and zero-width characters split words for search and are never seen; lone surrogates and
# non-characters cannot be stored in PostgreSQL.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff\ud800-\udfff]")
# Polish typesetting puts a hard space after "w", "i", "z"; readers and models quote with an ordinary one.
# Between digits it says that "8 029" is one number, so there it stays.
_HARD_SPACE = re.compile(r"(?<!\d)\u00a0|\u00a0(?!\d)")


def decode(content: bytes) -> str:
    """The text of `content`: by byte order mark, as UTF-8, or in the likelier of the two Polish code pages.

    Never fails: a byte that has no meaning becomes U+FFFD. The result is cleaned as by `clean`.
    """
    return clean(_decode(content))


def clean(text: str) -> str:
    """`text` in NFC with "\\n" newlines and without control, zero-width and unstorable characters (tabs
    stay).
    """
    text = _INVISIBLE.sub("", _NEWLINE.sub("\n", text))
    return unicodedata.normalize("NFC", _HARD_SPACE.sub(" ", text))


def utf16_order(content: bytes) -> str:
    """ "utf-16-le" or "utf-16-be" for Latin text without a byte order mark, "" for anything else.

    In such text the upper byte of nearly every sign is 0 (ASCII), 1 (most Polish letters) or 32 (quotes, dashes).
    """
    sample = content[: min(len(content), 4096) & ~1]
    for upper, lower, order in ((sample[1::2], sample[::2], "utf-16-le"), (sample[::2], sample[1::2], "utf-16-be")):
        usual = upper.count(0) + upper.count(1) + upper.count(32)
        if upper.count(0) * 3 > len(upper) and usual > 0.9 * len(upper) and 0 not in lower:
            return order
    return ""


def _decode(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    if order := utf16_order(content):
        return content.decode(order, errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        damaged = content.decode("utf-8", errors="replace")
    return damaged if _is_mostly_utf8(damaged) else _decode_polish(content)


def _is_mostly_utf8(damaged: str) -> bool:
    """Whether a file is UTF-8 with a few broken bytes (cut at its end, glued), not something else."""
    broken = damaged.count("\ufffd")
    return len(_POLISH_LETTER.findall(damaged)) > 10 * broken


def _decode_polish(content: bytes) -> str:
    candidates = [content.decode(name, errors="replace") for name in ("cp1250", "iso8859_2")]
    return max(candidates, key=_plausibility)  # a tie goes to Windows, by far the more common


def _plausibility(text: str) -> int:
    sample = text[:200_000]
    return len(_POLISH_LETTER.findall(sample)) - 3 * len(_WRONG_LETTERS.findall(sample))
