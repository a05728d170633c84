"""A file of nothing but short headings is chunked in time that grows with its length, and as it always was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.chunking.markdown import MarkdownUnit, units_of
from ingestion.chunking.sections import Section, join_lonely
from ingestion.text.markdown.blocks import Block, BlockKind

KINDS: tuple[BlockKind, ...] = ("heading", "text", "list", "table", "code")


@dataclass
class Counted:
    """A block that counts how often its kind is asked for."""

    asked: list[int]
    start: int
    kind_: BlockKind

    @property
    def end(self) -> int:
        return self.start + 1

    @property
    def kind(self) -> BlockKind:
        self.asked[0] += 1
        return self.kind_


def looks(kinds: Sequence[BlockKind]) -> int:
    asked = [0]
    units_of([Counted(asked, 2 * n, kind) for n, kind in enumerate(kinds)])  # type: ignore[misc]
    return asked[0]


@pytest.mark.parametrize(
    "pattern",
    [["heading"], ["text"], ["list", "heading"], ["code"], ["heading", "table"], ["text", "heading", "heading"]],
)
def test_twice_as_many_blocks_are_twice_the_work(pattern: list[BlockKind]) -> None:
    assert looks(pattern * 2000) <= 2.1 * looks(pattern * 1000)
    assert looks(pattern * 1000) <= 10 * len(pattern) * 1000


def blocks_of(kinds: Sequence[BlockKind]) -> list[Block]:
    return [Block(start=2 * n, end=2 * n + 1, kind=kind, level=1 + n % 3) for n, kind in enumerate(kinds)]


@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=30))
def test_runs_are_those_of_the_plain_definition(kinds: list[BlockKind]) -> None:
    blocks = blocks_of(kinds)
    plain = [(run[0].start, run[-1].end) for run in plain_runs(blocks)]
    assert [(unit.start, unit.end) for unit in units_of(blocks)] == plain


def plain_runs(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """A table or a fence ends the run before it and its own, up to the last block that is no heading."""
    run: list[Block] = []
    for block in blocks:
        body = [index for index, one in enumerate(run) if one.kind != "heading"]
        if body and ("table" in (kinds := {block.kind, run[body[-1]].kind}) or "code" in kinds):
            yield run[: body[-1] + 1]
            run = run[body[-1] + 1 :]
        run.append(block)
    yield run


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 12)), min_size=1, max_size=30), st.integers(1, 12))
def test_joining_keeps_every_block_once_and_in_order(sizes: list[tuple[int, int]], min_body: int) -> None:
    found, place = [], 0
    for level, length in sizes:
        heading = Block(start=place, end=place + 1, kind="heading", level=level)
        body = (Block(start=place + 1, end=place + 1 + length, kind="text"),) if length else ()
        found.append(Section(path=("a",) * level, level=level, blocks=(heading, *body)))
        place += 20
    joined = join_lonely(found, min_body=min_body)
    assert [block for section in joined for block in section.blocks] == [
        block for section in found for block in section.blocks
    ]
    assert all(section.body_length for section in joined) or len(joined) == 1


def test_a_unit_is_the_larger_of_its_kinds() -> None:
    (unit,) = units_of([Block(start=0, end=2, kind="text"), Block(start=3, end=9, kind="list")])
    assert unit == MarkdownUnit(start=0, end=9, kind="list")
