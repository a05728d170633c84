"""Markdown: the front matter becomes metadata, the rest stays as it is."""

import re
from collections.abc import Mapping
from typing import Any

from ingestion.reading.encoding import decode
from ingestion.reading.failures import require_text
from ingestion.reading.formats.text.plain_yaml import mapping_in
from ingestion.text.markdown.inline import plain_inline
from ingestion.types import ExtractedText, Progress

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,20000}?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_HEADING = re.compile(r" {0,3}#[ \t]+(.+?)[ \t]*#*$")
_LOWER_HEADING = re.compile(r" {0,3}#{2,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")
_MAX_HEADING = 1000
"""Characters of a line that may make a heading; patterns that end in optional spaces take the square of its length."""

_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")
# Targets of links that generators put into headings: invisible, and noise in a quotation.
_EMPTY_ANCHOR = re.compile(r"<a\s+(?:name|id)=(?:\"[^\"<>]*\"|'[^'<>]*')\s*>\s*</a>", re.I)
# Editors pad the cells of a table to equal width: up to nine tenths of a chunk would be spaces.
_TABLE_ROW = re.compile(r"^ {0,3}\|.*", re.M)
_PADDING = re.compile(r"(?<=\S) {2,}(?=\S)|(?<=-)-{3,}")


class MarkdownExtractor:
    """The text as it stands, but for the padding of tables; front matter goes to `metadata`.

    The title is the one of the front matter, else the first `#` heading, else the first heading.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        metadata, text = split_front_matter(decode(content).lstrip("\n"))
        text = require_text(without_padding(_EMPTY_ANCHOR.sub("", text)))
        progress(1, 1)
        return ExtractedText(
            text=text,
            extractor="markdown",
            title=_leaf(metadata, "title") or first_heading(text),
            language=_leaf(metadata, "lang", "language")[:10],
            metadata=metadata,
        )


def without_padding(text: str) -> str:
    """Without the spaces that make the columns of tables equally wide."""
    return _TABLE_ROW.sub(lambda row: _PADDING.sub(lambda run: " " if run[0].isspace() else "--", row[0]), text)


def split_front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """The metadata at the head of a Markdown text and the rest; {} and all of it without any."""
    match = _FRONT_MATTER.match(text)
    metadata = mapping_in(match[1]) if match else None
    return (metadata, text[match.end() :]) if match and metadata is not None else ({}, text)


def first_heading(text: str) -> str:
    """The first heading of level 1 outside fenced code, else the first of any level; "" where there is none."""
    fenced, previous, lower = False, "", ""
    for line in (one[:_MAX_HEADING] for one in text.split("\n")):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (match := _HEADING.match(line)):
            return plain_inline(match[1])
        elif not fenced and previous.strip() and _UNDERLINE.match(line):
            return plain_inline(previous)
        elif not fenced and not lower and (match := _LOWER_HEADING.match(line)):
            lower = plain_inline(match[1])
        previous = line
    return lower


def _leaf(metadata: Mapping[str, Any], *keys: str) -> str:
    """The first of `keys` that holds a text."""
    return next((value.strip() for key in keys if isinstance(value := metadata.get(key), str) and value.strip()), "")
