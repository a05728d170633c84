"""Which encoding a text is in, by evidence: byte order mark, valid UTF-8, header, what the page says, its letters.

Browsers believe the header first. Here the bytes go before it where they are certain: no other encoding's text
happens to be valid UTF-8, and servers add an old default to every page. Names: https://encoding.spec.whatwg.org.
"""

import codecs
import re

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_IN_PAGE = re.compile(rb"<(?:meta[^>]+charset|\?xml[^>]+encoding)\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]{2,40})", re.I)
_BROWSERS_READ = {"iso8859-1": "cp1252", "ascii": "cp1252"}  # as the standard says
_TEXTUAL = re.compile(r"utf|cp|iso|latin|mac|koi|gb|big5|shift|euc|ascii|johab|hz|tis|ptcp|kz", re.I)
_POLISH_PAGES = ("cp1250", "iso8859_2")
_POLISH_LETTER = re.compile("[ąćęłńóśźżĄĆĘŁŃÓŚŹŻ]")
# What the six letters on which the two code pages disagree become when the wrong one is chosen.
_WRONG_LETTERS = re.compile(r"[\u0080-\u009f]|(?<=\w)[ąšźˇŚ¦¬±¶Ľľ¹Ľťś¥](?=\w)")
_POLISH_SHARE = 0.6  # of the letters outside ASCII; the rest are names of others
_ANOTHER_SCRIPT = 0.5  # of all letters outside ASCII. Where it is less, charset-normalizer takes "§ 5" for Japanese
_SAMPLE = 200_000


def charset_of(content: bytes, *, declared: str = "") -> str:
    """Python's name of the encoding of a page; `declared` is what the header says, or ""."""
    in_page = _IN_PAGE.search(content[:4096])
    for said in ("utf-8", declared, in_page[1].decode("ascii") if in_page else ""):
        name = known(said)
        if name and not _marked(content) and _fits(content, name):
            return name
    return guessed_charset(content)


def guessed_charset(content: bytes) -> str:
    """The same by the bytes alone. Many of them may mean nothing in it: decode with errors="replace".

    UTF-8 also where a few bytes of it are broken (cut at the end, glued); else a Polish code page, unless most letters
    are of another script: only those are numerous enough for statistics to name it.
    """
    if certain := _marked(content) or utf16_order(content):
        return certain
    damaged = content.decode("utf-8", errors="replace")
    broken = damaged.count("\ufffd")
    if not broken or broken * 10 <= sum(letter > "\x7f" for letter in damaged):
        return "utf-8"
    sample = content[:_SAMPLE]
    texts = {name: sample.decode(name, errors="replace") for name in _POLISH_PAGES}
    polish = max(texts, key=lambda name: _plausibility(texts[name]))  # a tie goes to Windows, by far the more common
    return polish if _is_latin(texts[polish]) else _by_statistics(sample) or polish


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


def known(said: str) -> str:
    """Python's name of an encoding of text, "" for one that it does not know."""
    try:
        info = codecs.lookup(said.strip())
    except (LookupError, ValueError):
        return ""
    name = _BROWSERS_READ.get(info.name, info.name)
    return (
        name if _TEXTUAL.match(name) and name != "utf-7" else ""
    )  # base64, zlib and their like are codecs too, and open bombs


def declares_charset(content: bytes) -> bool:
    """Whether the page itself says what it is written in."""
    return bool(_marked(content)) or _IN_PAGE.search(content[:4096]) is not None


def _marked(content: bytes) -> str:
    return next((name for mark, name in _MARKS if content.startswith(mark)), "")


def _fits(content: bytes, name: str) -> bool:
    try:
        decoded = content.decode(name)
    except (UnicodeDecodeError, ValueError):
        return False
    return "\x00" not in decoded[:1024] and "\x1b" not in decoded  # pages of Japan change their signs by escapes


def _plausibility(text: str) -> int:
    return len(_POLISH_LETTER.findall(text)) - 3 * len(_WRONG_LETTERS.findall(text))


def _is_latin(text: str) -> bool:
    letters = "".join(filter(str.isalpha, text))
    foreign = sum(letter > "\x7f" for letter in letters)
    polish = len(_POLISH_LETTER.findall(text))
    return polish >= _POLISH_SHARE * foreign or foreign <= _ANOTHER_SCRIPT * len(letters)


def _by_statistics(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return best.encoding if best else ""
