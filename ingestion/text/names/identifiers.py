"""Identifiers in a text, each under one key however it is written: journals of laws, provisions, forms, systems."""

import re
from collections.abc import Callable, Iterator

from ingestion.text.names.mention import Named

_JOURNAL = re.compile(
    r"Dz\.[ \u00a0]?U\.(?: ?z)?(?: ?(?P<year>\d{4}))?(?: ?r\.?,?)?(?:,? [Nn]r (?P<number>\d+),?)?"
    r"(?: ?z późn\. zm\.)?,? ?poz\.[ \u00a0](?P<entry>\d+)"
)
_ACTS = {
    "k.p.": r"k\.[ ]?p\.(?! ?[a-z]\.)|[Kk]odeksu pracy",
    "k.c.": r"k\.[ ]?c\.|[Kk]odeksu cywilnego",
    "k.k.w.": r"k\.[ ]?k\.[ ]?w\.|[Kk]odeksu karnego wykonawczego",
    "k.k.s.": r"k\.[ ]?k\.[ ]?s\.|[Kk]odeksu karnego skarbowego",
    "k.k.": r"k\.[ ]?k\.(?! ?[a-z]\.)|[Kk]odeksu karnego",
    "k.r.o.": r"k\.[ ]?r\.[ ]?(?:i[ ])?o\.|[Kk]odeksu rodzinnego i opiekuńczego",
    "k.w.": r"k\.[ ]?w\.|[Kk]odeksu wykroczeń",
    "k.p.a.": r"k\.[ ]?p\.[ ]?a\.|[Kk]odeksu postępowania administracyjnego",
    "k.p.c.": r"k\.[ ]?p\.[ ]?c\.|[Kk]odeksu postępowania cywilnego",
    "k.p.k.": r"k\.[ ]?p\.[ ]?k\.|[Kk]odeksu postępowania karnego",
    "k.s.h.": r"k\.[ ]?s\.[ ]?h\.|[Kk]odeksu spółek handlowych",
    "konstytucja": r"Konstytucji",
}
_PROVISION = re.compile(
    r"\b[Aa]rt\.[ \u00a0]?(?P<article>\d+[a-z]?)(?:[ \u00a0](?:§|ust\.|pkt|lit\.)[ \u00a0]?\w+)*[ \u00a0](?:"
    + "|".join(f"(?P<act{place}>{pattern})" for place, pattern in enumerate(_ACTS.values()))
    + ")"
)
_CODE = re.compile(
    r"(?<![\w/-])(?:[A-Z]{1,6}-\d[\dA-Z]*|[A-Z]{2,6}[_/]?\d[\dA-Z]*|[A-Z]{2,}(?:_[A-Z\d]+)+"
    r"|(?:PIT|VAT|CIT|PCC|ISO) \d+[A-Z]?)"
    r"(?:[-_/][\dA-Z]+)*(?![^\W_])"
)
_SYSTEM = re.compile(r"(?<![\w-])[a-z]-?[A-ZĆŁŚŻ][^\W_]{2,}")
_LOOSE_CODE = re.compile(r"(?<![\w-])[a-z]{1,6}(?:_[a-z]{1,6})*[-_ ]?\d[\da-z]*(?![^\W_])", re.IGNORECASE)
_JOINING = re.compile(r"[-_/ ]")


def find_identifiers(text: str) -> list[Named]:
    """In order of kinds; those of different kinds do not overlap."""
    return [*_found(text, _JOURNAL, _journal), *_found(text, _PROVISION, _provision), *_codes(text)]


def loose_keys(question: str) -> set[str]:
    """Keys that `question` may mean by "pit 37" or "jpk_v7m": more than it names, to be looked up."""
    return {code_key(match.group()) for match in _LOOSE_CODE.finditer(question)}


def code_key(written: str) -> str:
    return _JOINING.sub("", written).lower()


def _codes(text: str) -> Iterator[Named]:
    for pattern in (_CODE, _SYSTEM):
        yield from _found(text, pattern, lambda match: (code_key(match.group()), match.group()))


def _journal(match: re.Match[str]) -> tuple[str, str]:
    year, number, entry = (match.group(name) for name in ("year", "number", "entry"))
    parts = ["Dz.U.", year, f"nr {number}" if number else None, f"poz. {entry}"]
    name = " ".join(part for part in parts if part)
    return name.lower(), name


def _provision(match: re.Match[str]) -> tuple[str, str]:
    act = next(act for place, act in enumerate(_ACTS) if match.group(f"act{place}"))
    return f"art.{match.group('article')} {act}", f"art. {match.group('article')} {act}"


def _found(text: str, pattern: re.Pattern[str], read: Callable[[re.Match[str]], tuple[str, str]]) -> Iterator[Named]:
    for match in pattern.finditer(text):
        key, name = read(match)
        yield Named(key=key, name=name, kind="identifier", start=match.start(), end=match.end())
