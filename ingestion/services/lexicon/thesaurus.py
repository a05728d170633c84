"""The LibreOffice thesaurus format, MyThes: a line with the encoding, then entries.

    zamek|2
    -|cytadela|forteca|budowla (pojęcie nadrzędne)
    -|zamknięcie|zasuwa

An entry is a headword with the number of its meanings, and a line for each: part of speech, then synonyms with notes.
Each word of a meaning has an entry of its own with the same meaning, so the meanings are sets of words that repeat.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.utils.translation import gettext as _

from ingestion.errors import IngestionError

_NOTE = re.compile(r"\s*\(([^)]*)\)")
# Notes that say that a word is no synonym (antonyms, broader and narrower terms) or one that nobody wants to be shown.
_LEFT_OUT = ("antonim", "antonym", "pojęcie", "broader", "generic", "related", "similar", "wulg", "obraź")


class MalformedThesaurus(IngestionError):
    code = "malformed_thesaurus"


def read_thesaurus(path: Path) -> list[tuple[str, ...]]:
    """The meanings with at least two words, each once, words and meanings in the order of the file.

    Raises MalformedThesaurus, OSError.
    """
    encoding, _newline, body = path.read_bytes().partition(b"\n")
    try:
        text = body.decode(encoding.decode("ascii").strip().removeprefix("microsoft-"))
    except (LookupError, UnicodeDecodeError) as error:
        raise MalformedThesaurus(_("The first line must name the encoding of the file: %s") % error) from error
    lines = [
        line.rstrip("\r") for line in text.rstrip().split("\n")
    ]  # splitlines() would also split at signs of code pages
    meanings: dict[frozenset[str], tuple[str, ...]] = {}
    for words in _meanings(lines):
        if len(words) > 1:
            meanings.setdefault(frozenset(words), words)
    return list(meanings.values())


def _meanings(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Headword and synonyms of each meaning."""
    row = 0
    while row < len(lines):
        headword, _bar, count = lines[row].rpartition("|")
        meanings = lines[row + 1 : row + 1 + int(count)] if count.isdecimal() else []
        if lines[row].strip():
            if not headword or not meanings or len(meanings) < int(count):
                raise MalformedThesaurus(_("Line %(row)d is no entry: %(line)s") % {"row": row + 2, "line": lines[row]})
            yield from (_words(headword, meaning) for meaning in meanings)
        row += 1 + len(meanings)


def _words(headword: str, meaning: str) -> tuple[str, ...]:
    words = [headword]
    for synonym in meaning.split("|")[1:]:
        notes = _NOTE.findall(synonym)
        word = _NOTE.sub("", synonym).strip()
        if word and not any(note.startswith(_LEFT_OUT) for note in notes):
            words.append(word)
    return tuple(dict.fromkeys(words))
