import sys
from collections.abc import Callable

from rag.chat.rendering.sentinels import HIT_END, HIT_START, place, shown_ranges

PROSE = "Umowa najmu [wzór](https://urzad.example/wzor) trwa &amp; kończy się. "


def steps(work: Callable[[], object]) -> int:
    """How many functions, those written in C among them, `work` calls: that depends on nothing but its input."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def hits_in(text: str) -> list[tuple[int, int]]:
    return [(place, place + 5) for place in range(0, len(text), len(PROSE))]


def test_hits_in_a_line_cost_no_more_for_the_length_of_the_line() -> None:
    short, long = PROSE * 100, PROSE * 800
    assert steps(lambda: shown_ranges(long, hits_in(long))) < 10 * steps(lambda: shown_ranges(short, hits_in(short)))
    assert steps(lambda: place(long, 0, 5, hits=hits_in(long))) < 10 * steps(
        lambda: place(short, 0, 5, hits=hits_in(short))
    )


def test_every_hit_of_a_long_line_is_marked() -> None:
    text = PROSE * 300
    marked = place(text, 0, 0, hits=hits_in(text))
    assert marked.count(f"{HIT_START}Umowa{HIT_END}") == 300


def test_what_a_reader_does_not_see_is_no_hit_wherever_it_stands_in_the_line() -> None:
    text = PROSE * 50
    address = text.index("urzad", 20 * len(PROSE))
    assert shown_ranges(text, [(address, address + 5)]) == []
