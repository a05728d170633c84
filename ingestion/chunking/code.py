"""Splits source code along its syntax tree: functions and classes, and large ones between their statements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ingestion.chunking.recursive import RecursiveChunker
from ingestion.chunking.syntax.definitions import defined_name, is_comment, unwrapped
from ingestion.chunking.syntax.grammars import parse
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from ingestion.types import ExtractedText, Span

if TYPE_CHECKING:
    from tree_sitter import Node

MERGED_SHARE = 1 / 4
"""Small neighbouring definitions (getters, constants) are joined up to this share of `chunk_size`."""

STATEMENT_SHARE = 1 / 2
"""A statement larger than this share of `chunk_size` may be cut between the statements in it."""

MAX_DEPTH = 20
"""Definitions inside definitions that are followed."""

_INDENTATION = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Characters [start, end) of one node with the space and the comments before it; `name`: what it defines."""

    start: int
    end: int
    name: str
    node: "Node"


class CodeChunker:
    """Chunks of at most `chunk_size` estimated tokens; the heading path names classes and functions around.

    The language is `extracted.metadata["language"]`, or `language` where the text says none. What has no grammar is
    split between paragraphs and lines. Imports stand with the module's docstring, comments and decorators with what
    they describe. Chunks do not overlap: `overlap` is there for the sake of the other chunkers. Raises ValueError
    unless 0 <= overlap < chunk_size.
    """

    def __init__(self, chunk_size: int = 512, overlap: int = 50, language: str = "") -> None:
        RecursiveChunker(chunk_size, overlap)  # checks them
        self._lines = RecursiveChunker(chunk_size, 0)
        self._size = chunk_size * CHARACTERS_PER_TOKEN
        self._language = language

    def split(self, extracted: ExtractedText) -> list[Span]:
        text = extracted.text
        source = text.encode(errors="replace")
        tree = parse(source, str(extracted.metadata.get("language") or self._language))
        if tree is None:
            return [_span(start, end, ()) for start, end in self._lines.ranges(text, 0, len(text))]
        reader = _PartReader(text, source, self._size)
        found = self._spans(reader, tree.root_node, 0, len(text), ())
        return [span for span in found if text[span.start : span.end].strip()]

    def _spans(
        self, reader: "_PartReader", node: "Node", start: int, end: int, path: tuple[str, ...]
    ) -> Iterator[Span]:
        deep = len(path) >= MAX_DEPTH
        parts = reader.parts(node, start, end) if end - start > self._size and not deep else []
        if len(parts) <= 1:
            for first, last in self._lines.ranges(reader.text, start, end):
                yield _span(first, last, path)
            return
        for group in self._groups(parts):
            inner = (*path, group[0].name) if len(group) == 1 and group[0].name else path
            yield from self._spans(reader, group[0].node, group[0].start, group[-1].end, inner)

    def _groups(self, parts: Sequence[_Part]) -> Iterator[list[_Part]]:
        """Statements together as long as they fit, definitions apart unless they are small."""
        group: list[_Part] = []
        for part in parts:
            defines = part.name or any(one.name for one in group)
            if group and part.end - group[0].start > self._size * (MERGED_SHARE if defines else 1):
                yield group
                group = []
            group.append(part)
        yield group


class _PartReader:
    """The nodes of a text as parts with offsets in characters, not in bytes."""

    def __init__(self, text: str, source: bytes, size: int) -> None:
        self.text = text
        self._size = size
        begins = (np.frombuffer(source, dtype=np.uint8) & 0xC0) != 0x80
        self._characters: NDArray[np.int64] = np.concatenate([[0], np.cumsum(begins)])

    def parts(self, node: "Node", start: int, end: int) -> list[_Part]:
        """text[start:end] as the children of `node`, cut between lines where that can be."""
        starts: list[tuple[int, Node]] = []
        for child in self._flat(unwrapped(node)):
            begin = max(start, self._line_start(self._character(child.start_byte)))
            if begin >= end:
                break
            if not starts or (begin > starts[-1][0] and self._may_cut(starts[-1], begin, child)):
                starts.append((begin, child))
            elif is_comment(starts[-1][1]) or (not defined_name(starts[-1][1]) and defined_name(child)):
                starts[-1] = (starts[-1][0], child)
        begins = [start, *(begin for begin, _ in starts[1:]), end]
        return [
            _Part(start=first, end=last, name=defined_name(child), node=child)
            for first, last, (_, child) in zip(begins, begins[1:], starts, strict=False)
        ]

    def _may_cut(self, before: tuple[int, "Node"], begin: int, child: "Node") -> bool:
        """Whether `child` may begin a part: at the beginning of a line, and not right after its comment."""
        if is_comment(before[1]) and begin - before[0] <= self._size * STATEMENT_SHARE:
            return False
        return self._begins_line(begin) or self._character(child.end_byte) - before[0] > self._size

    def _flat(self, node: "Node") -> Iterator["Node"]:
        """The children of `node`, large ones that define nothing replaced by their own."""
        stack = list(reversed(node.children))
        while stack:
            child = stack.pop()
            length = child.end_byte - child.start_byte
            if length > self._size * STATEMENT_SHARE and child.children and not defined_name(child):
                stack.extend(reversed(child.children))
            elif length:
                yield child

    def _character(self, byte: int) -> int:
        return int(self._characters[byte])

    def _line_start(self, position: int) -> int:
        line = self.text.rfind("\n", max(0, position - _INDENTATION), position) + 1
        found = line > 0 or position <= _INDENTATION
        return position if not found or self.text[line:position].strip() else line

    def _begins_line(self, position: int) -> bool:
        return position == 0 or self.text[position - 1] == "\n"


def _span(start: int, end: int, path: tuple[str, ...]) -> Span:
    return Span(start=start, end=end, heading_path=path, kind="code")
