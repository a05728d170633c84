"""The blocks of a Markdown text with their exact place, from markdown-it's map of lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ingestion.text.markdown.inline import plain_inline

if TYPE_CHECKING:
    from markdown_it.token import Token

BlockKind = Literal["heading", "text", "list", "table", "code"]

MAX_TITLE = 200
"""Characters of a heading kept in a heading path."""

_NEWLINE = re.compile(r"\r\n?|\n")  # as markdown-it counts lines
_DELIMITER = re.compile(r"\|[-:|\s]*$")  # what stands below the header of a table
_VISIBLE = re.compile(r"\S")
_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "table_open": "table",
    "fence": "code",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Characters [start, end) of the text; `level` (1 to 6) and `title` belong to headings."""

    start: int
    end: int
    kind: BlockKind
    level: int = 0
    title: str = ""


class BlockReader:
    """Reads the top-level blocks of a Markdown text in order; together they cover all that is visible."""

    def __init__(self) -> None:
        from markdown_it import MarkdownIt

        # Only the shape of blocks matters. Indented code would swallow the indented paragraphs of plain text;
        # reference definitions yield no token at all.
        self._parser = MarkdownIt("commonmark").enable("table")
        self._parser.disable(["inline", "text_join", "code", "reference"])

    def read(self, text: str) -> list[Block]:
        line_starts = [0, *(match.end() for match in _NEWLINE.finditer(text)), len(text)]
        blocks: list[Block] = []
        covered = 0
        for block in self._parsed(text, line_starts):
            blocks += _trimmed(text, covered, block.start, Block(start=0, end=0, kind="text"))
            blocks += _trimmed(text, max(covered, block.start), block.end, block)
            covered = max(covered, block.end)
        return blocks + _trimmed(text, covered, len(text), Block(start=0, end=0, kind="text"))

    def _parsed(self, text: str, line_starts: Sequence[int]) -> Iterator[Block]:
        lines = [text[start:end] for start, end in pairwise(line_starts)]
        read = [number for number in range(len(lines)) if not _is_further_row(lines, number)]
        tokens = self._parser.parse("".join(lines[number] for number in read))
        places = [*(line_starts[number] for number in read), len(text)]
        for index, token in enumerate(tokens):
            if token.level == 0 and token.nesting >= 0 and token.map:
                start, end = (places[min(line, len(read))] for line in token.map)
                yield _block(start, end, token, tokens[index + 1 : index + 2])


def _is_further_row(lines: Sequence[str], number: int) -> bool:
    """A row of a table below its first ones. They end no block and begin none, and the parser takes seconds over a
    million of their characters, so it does not read them.
    """
    around = lines[max(0, number - 2) : number + 2]
    return (
        number > 1
        and all(line.startswith("|") for line in around[:3])
        and not any(_DELIMITER.match(line) for line in around[2:])
    )


def _block(start: int, end: int, token: "Token", following: Sequence["Token"]) -> Block:
    kind = _KINDS.get(token.type, "text")
    if kind != "heading":
        return Block(start=start, end=end, kind=kind)
    title = plain_inline(following[0].content) if following else ""
    return Block(start=start, end=end, kind=kind, level=int(token.tag[1]), title=title[:MAX_TITLE].rstrip())


def _trimmed(text: str, start: int, end: int, like: Block) -> list[Block]:
    """The visible part of text[start:end] as a block like `like`, [] where there is none."""
    first = _VISIBLE.search(text, start, end)
    if first is None:
        return []
    stop = first.start() + len(text[first.start() : end].rstrip())
    return [Block(start=first.start(), end=stop, kind=like.kind, level=like.level, title=like.title)]
