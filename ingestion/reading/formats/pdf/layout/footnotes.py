"""Marks of footnotes: small raised figures, which must not become part of the word before them."""

from collections.abc import Sequence

from ingestion.reading.formats.pdf.layout.page import Character

_RAISED = 0.2
_SMALL = 0.8
_WORD = 3
"""Letters; a figure raised after fewer is an exponent (m², km², x²), not a mark."""


def with_note_marks(run: Sequence[Character], size: float) -> list[Character]:
    """The characters of a line of `size` points with the marks as "[^1]"; at the start of a line, "[^1]: " begins the
    note itself.
    """
    floor = min((one.box.bottom for one in run if one.box.top - one.box.bottom >= _SMALL * size), default=0.0)
    marked: list[Character] = []
    index = 0
    while index < len(run):
        end = index
        while end < len(run) and _is_raised(run[end], size, floor):
            end += 1
        if end > index and _refers(run[:index]):
            begins = not "".join(one.text for one in run[:index]).strip()
            figure = "".join(one.text for one in run[index:end]).strip("()")
            marked.append(run[index]._replace(text=f"[^{figure}]: " if begins else f"[^{figure}]"))
        else:
            end = max(end, index + 1)
            marked.extend(run[index:end])
        index = end
    return marked


def _is_raised(one: Character, size: float, floor: float) -> bool:
    bottom, top = one.box.bottom, one.box.top
    return one.text in "0123456789*)" and top - bottom < _SMALL * size and bottom > floor + _RAISED * size


def _refers(before: Sequence[Character]) -> bool:
    """Whether what stands before a raised figure is a word or the start of the line."""
    text = "".join(one.text for one in before[-8:])
    last = text.split()[-1] if text.split() else ""
    ends_word = text[-1:].isalpha() and sum(map(str.isalpha, last)) >= _WORD
    return not text.strip() or ends_word or text[-1:] in '.,;:)”"'
