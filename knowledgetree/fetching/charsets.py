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
_POLISH = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
_POLISH_PAGES = ("cp1250", "iso8859_2")
_POLISH_SHARE = 0.6  # of the letters outside ASCII; the rest are quotes, dashes and names of others
_SAMPLE = 100_000


def charset_of(content: bytes, *, declared: str) -> str:
    """Python's name of the encoding; `declared` is what the header says, or ""."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name
    in_page = _IN_PAGE.search(content[:4096])
    for said in ("utf-8", declared, in_page[1].decode("ascii") if in_page else ""):
        name = known(said)
        if name and _fits(content, name):
            return name
    return _guessed(content)


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
    return content.startswith(tuple(mark for mark, _ in _MARKS)) or _IN_PAGE.search(content[:4096]) is not None


def _fits(content: bytes, name: str) -> bool:
    try:
        decoded = content.decode(name)
    except (UnicodeDecodeError, ValueError):
        return False
    return "\x00" not in decoded[:1024]


def _guessed(content: bytes) -> str:
    """The likeliest code page, UTF-8 where only a few bytes of it are broken."""
    sample = content[:_SAMPLE]
    damaged = sample.decode("utf-8", errors="replace")
    foreign = sum(letter > "\x7f" for letter in damaged)
    if damaged.count("\ufffd") * 10 < foreign:
        return "utf-8"
    polish = max(_POLISH_PAGES, key=lambda name: _polish_share(sample, name))
    if _polish_share(sample, polish) >= _POLISH_SHARE:
        return polish
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return str(best.encoding) if best else polish


def _polish_share(sample: bytes, name: str) -> float:
    foreign = [letter for letter in sample.decode(name, errors="replace") if letter > "\x7f"]
    return sum(letter in _POLISH for letter in foreign) / max(len(foreign), 1)
