"""Words that Tesseract found, as the characters of a page."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from ingestion.reading.formats.pdf.layout.page import Box, Character

_NO_CONFIDENCE = 0.3
"""Below, "words" are speckles, stamps and signatures."""

_SURE_SIGN = 0.6
_DARK = 128
_SIGNS = frozenset("-–—•*%+=/&§()€$°<>×")
_STROKES = "|¦[]{}_~"
"""What remains of ruling lines at either end of a word."""

_SAME_SIZE = 0.35
"""The box of a line is as high as its highest letter, so lines of one size differ by as much."""

_DESCENDERS = frozenset("gjpqyąęQ,;()[]{}|/")
_HANGING = 0.22
"""The part of the height by which they hang below the line."""

BODY = 12.0
"""Points that letters of the usual size get, whatever the picture's resolution: pages of one scan agree in print."""


class OcrWord(NamedTuple):
    """In pixels from the top left. `line`: (block, paragraph, line), each counted within the one before."""

    text: str
    left: int
    top: int
    width: int
    height: int
    confidence: float
    line: tuple[int, int, int]


def words_of(table: Mapping[str, Sequence[Any]]) -> list[OcrWord]:
    """The words of Tesseract's table (its TSV output, column by column), in reading order, confidence 0 to 1."""
    words = (word._replace(text=word.text.strip().strip(_STROKES)) for word in _rows(table))
    return [word for word in words if _is_print(word)]


def confidence_of(table: Mapping[str, Sequence[Any]]) -> float:
    """The mean over the letters of all words, those left out as well: many of them are a page that was not read."""
    words = [word for word in _rows(table) if any(letter.isalnum() for letter in word.text)]
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / max(letters, 1)


def _rows(table: Mapping[str, Sequence[Any]]) -> Iterator[OcrWord]:
    places = zip(table["block_num"], table["par_num"], table["line_num"], strict=True)
    boxes = zip(table["left"], table["top"], table["width"], table["height"], strict=True)
    for text, box, confidence, line in zip(table["text"], boxes, table["conf"], places, strict=True):
        yield OcrWord(str(text), *box, confidence=float(confidence) / 100, line=line)


def _is_print(word: OcrWord) -> bool:
    if any(letter.isalnum() for letter in word.text):
        return word.confidence >= _NO_CONFIDENCE
    return word.confidence >= _SURE_SIGN and word.text in _SIGNS


def unread_ink(picture: Image.Image, words: Sequence[OcrWord]) -> float:
    """The share of the dark pixels of a grey picture that lie in the box of no word, 0 to 1."""
    dark = np.array(picture) < _DARK
    total = int(dark.sum())
    for word in words:
        dark[word.top : word.top + word.height, word.left : word.left + word.width] = False
    return int(dark.sum()) / max(total, 1)


def usual_height(words: Sequence[OcrWord]) -> float:
    """Pixels of a middling line."""
    return float(median(_height(line) for line in _lines(words))) if words else 1.0


def as_characters(words: Sequence[OcrWord], *, scale: float, height: float) -> tuple[Character, ...]:
    """The letters of the words side by side, lines parted by "\\n"; points from the bottom left of a page of `height`
    points, `scale` points a pixel.
    """
    usual = usual_height(words)
    found: list[Character] = []
    for line in _lines(words):
        own = _height(line)
        high = usual if abs(own - usual) < _SAME_SIZE * usual else own
        for word in line:
            found.extend(_letters(word, high, scale, height))
        found.append(Character("\n", Box(0, 0, 0, 0), False))
    return tuple(found)


def _lines(words: Sequence[OcrWord]) -> list[list[OcrWord]]:
    return [list(group) for _, group in groupby(words, key=lambda word: word.line)]


def _height(line: Sequence[OcrWord]) -> float:
    return median(word.height for word in line)


def _letters(word: OcrWord, high: float, scale: float, height: float) -> Iterator[Character]:
    hangs = _HANGING * word.height if _DESCENDERS.intersection(word.text) else 0.0
    bottom = height - (word.top + word.height - hangs) * scale - _HANGING * high * scale
    each = word.width / len(word.text) * scale
    left = word.left * scale
    for index, letter in enumerate([*word.text, " "]):
        box = Box(left + index * each, bottom, left + (index + 1) * each, bottom + high * scale)
        yield Character(letter, box, False)
