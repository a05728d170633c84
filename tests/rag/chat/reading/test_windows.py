"""A long text is shown in parts that fit together and contain the cited passage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.chat.reading.windows import REACH, window

PARAGRAPH = "Zdanie pierwsze akapitu. Zdanie drugie.\n\n"
LONG = PARAGRAPH * (400_000 // len(PARAGRAPH))


def test_a_short_text_is_shown_whole() -> None:
    shown = window(PARAGRAPH, start=3, end=5)
    assert (shown.begin, shown.end, shown.previous, shown.following) == (0, len(PARAGRAPH), None, None)


@given(start=st.integers(0, len(LONG) - 1), length=st.integers(0, 3_000))
def test_the_passage_lies_inside_and_the_cuts_between_blocks(start: int, length: int) -> None:
    shown = window(LONG, start=start, end=min(start + length, len(LONG)))
    assert shown.begin <= start
    assert shown.end >= min(start + length, len(LONG))
    assert shown.end - shown.begin <= 2 * REACH + 3_000 + 8_000
    assert shown.begin == 0 or LONG[shown.begin - 2 : shown.begin] == "\n\n"


def test_the_parts_follow_one_another_without_a_gap() -> None:
    at, seen = 0, 0
    while True:
        shown = window(LONG, start=0, end=0, part=at)
        assert shown.begin == seen
        seen = shown.end
        if shown.following is None:
            break
        at = shown.following
    assert seen == len(LONG)


@pytest.mark.parametrize("text", ["x" * 400_000, "```\n" + "kod\n\n" * 100_000])
def test_a_text_without_blocks_is_cut_all_the_same(text: str) -> None:
    shown = window(text, start=200_000, end=200_010)
    assert shown.begin <= 200_000
    assert shown.end >= 200_010
    assert shown.end - shown.begin < 3 * REACH
