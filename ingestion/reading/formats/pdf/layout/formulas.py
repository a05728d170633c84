"""Formulas of Microsoft Word, whose letters many PDFs call Syriac, Oriya and Tamil.

Printed from Word, the glyphs of Cambria Math that have no Unicode place get the number of the glyph as their letter.
The alphabets follow each other in the font, so one letter tells the others (found by comparing pages with their text).
"""

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase, digits

from ingestion.reading.formats.pdf.layout.page import Character

_ITALIC = "\u0723"
"""Italic A; the others follow, capitals first."""

_RAISED_DIGIT, _RAISED_LETTER = "\u0b34", "\u0bd4"
_RAISED_SIGNS = {"\u0b3e": "+", "\u0b3f": "-"}
_BRACES = range(0x1100, 0x1200)
"""Pieces of tall brackets; nothing to read."""


def _following(first: str, letters: str) -> dict[int, str]:
    return {ord(first) + index: letter for index, letter in enumerate(letters)}


FORMULA_LETTERS: dict[int, str | None] = {
    **_following(_ITALIC, ascii_uppercase + ascii_lowercase),
    **_following(_RAISED_DIGIT, digits),
    **_following(_RAISED_LETTER, ascii_lowercase),
    **{ord(sign): plain for sign, plain in _RAISED_SIGNS.items()},
    **dict.fromkeys(_BRACES),
}
"""For `str.translate`."""

_MIRRORED = re.compile(f"[{_ITALIC}-{chr(ord(_ITALIC) + 51)}]")


def in_writing_order(characters: Sequence[Character]) -> Iterator[Character]:
    """Lines with such letters from left to right: pdfium takes Syriac for what it is and turns them round."""
    if not _MIRRORED.search("".join([character.text for character in characters])):
        yield from characters
        return
    line: list[Character] = []
    for character in characters:
        if character.text == "\n":
            yield from _straightened(line)
            yield character
            line = []
        else:
            line.append(character)
    yield from _straightened(line)


def _straightened(line: list[Character]) -> list[Character]:
    if any(_MIRRORED.match(character.text) for character in line):
        return _with_brackets(sorted(line, key=lambda character: character.box.left))
    return line


def _with_brackets(line: list[Character]) -> list[Character]:
    """Some brackets were mirrored with the letters, nobody can say which: in turns they open and close."""
    brackets = [index for index, character in enumerate(line) if character.text in "()"]
    for count, index in enumerate(brackets):
        line[index] = line[index]._replace(text="()"[count % 2])
    return line
