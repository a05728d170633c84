"""Blocks under their headings, with sections too small to stand alone joined to their neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.text.markdown.blocks import Block

_DATE_SHARE = 6
"""A body this many times smaller than the least one says nothing at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Neighbouring blocks, at least one, and the headings they stand under, outermost first."""

    path: tuple[str, ...]
    level: int
    blocks: tuple[Block, ...]

    @property
    def start(self) -> int:
        return self.blocks[0].start

    @property
    def end(self) -> int:
        return self.blocks[-1].end

    @property
    def body_length(self) -> int:
        return sum(block.end - block.start for block in self.blocks if block.kind != "heading")


def sections(blocks: Sequence[Block]) -> list[Section]:
    """One section a heading, and one for what stands before the first heading."""
    found: list[Section] = []
    open_headings: list[tuple[int, str]] = []
    current: list[Block] = []
    for block in blocks:
        if block.kind == "heading":
            found += _section(open_headings, current)
            open_headings = [(level, title) for level, title in open_headings if level < block.level]
            open_headings.append((block.level, block.title))
            current = []
        current.append(block)
    return found + _section(open_headings, current)


def join_lonely(found: Sequence[Section], *, min_body: int) -> list[Section]:
    """No heading without a body: it opens the section after it, or at the end closes the one before.

    A heading with fewer than `min_body` characters of body (a motto, a signature) opens its first
    subsection likewise; with hardly any (a date) whatever follows. Alone, it would win every search
    for its heading.
    """
    joined: list[Section] = []
    blocks: list[Block] = []
    for index, section in enumerate(found):
        blocks += section.blocks
        following = found[index + 1] if index + 1 < len(found) else None
        opens = following is not None and section.body_length < _needed(section, following, min_body)
        if not opens:
            joined.append(Section(path=section.path, level=section.level, blocks=tuple(blocks)))
            blocks = []
    if len(joined) > 1 and joined[-1].body_length == 0:
        last, before = joined.pop(), joined.pop()
        joined.append(Section(path=before.path, level=before.level, blocks=before.blocks + last.blocks))
    return joined


def merge_small(found: Sequence[Section], *, max_length: int) -> list[Section]:
    """Neighbours under one parent heading, up to `max_length` characters, as one section."""
    merged: list[Section] = []
    group: list[Section] = []
    for section in found:
        if group and not (_are_siblings(group[0], section) and section.end - group[0].start <= max_length):
            merged.append(_merge(group))
            group = []
        group.append(section)
    return [*merged, _merge(group)] if group else merged


def _needed(section: Section, following: Section, min_body: int) -> int:
    return min_body if following.level > section.level else max(1, min_body // _DATE_SHARE)


def _section(open_headings: Sequence[tuple[int, str]], blocks: Sequence[Block]) -> list[Section]:
    if not blocks:
        return []
    path = tuple(title for _, title in open_headings if title)
    return [Section(path=path, level=open_headings[-1][0] if open_headings else 0, blocks=tuple(blocks))]


def _are_siblings(one: Section, other: Section) -> bool:
    return one.level == other.level > 0 and one.path[:-1] == other.path[:-1]


def _merge(group: Sequence[Section]) -> Section:
    if len(group) == 1:
        return group[0]
    blocks = tuple(block for section in group for block in section.blocks)
    return Section(path=group[0].path[:-1], level=group[0].level, blocks=blocks)
