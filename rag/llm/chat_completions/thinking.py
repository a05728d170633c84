"""What a thinking model says to itself: local servers pass it on in the text, `<think>…</think>` before the answer."""

from collections.abc import Iterable, Iterator

_OPEN, _CLOSE = "<think>", "</think>"


def without_thinking(pieces: Iterable[str]) -> Iterator[str]:
    """The answer alone, each piece as soon as it is known to be part of it; nothing of thoughts that never end."""
    arriving = iter(pieces)
    held = ""
    for piece in arriving:
        held += piece
        begun = held.lstrip()
        if begun.startswith(_OPEN):
            yield from _answer(arriving, thought=begun.removeprefix(_OPEN))
            return
        if not _OPEN.startswith(begun):
            yield held
            yield from arriving
            return
    if held:
        yield held


def answer_alone(text: str) -> str:
    """The same for a whole text, in which the beginning of the thoughts may be missing: some templates write it."""
    return "".join(without_thinking([text.rpartition(_CLOSE)[2]])).strip()


def _answer(arriving: Iterator[str], *, thought: str) -> Iterator[str]:
    while _CLOSE not in thought:
        if (piece := next(arriving, None)) is None:
            return
        thought = thought[1 - len(_CLOSE) :] + piece
    answer = thought.partition(_CLOSE)[2].lstrip()
    while not answer:
        if (piece := next(arriving, None)) is None:
            return
        answer = piece.lstrip()
    yield answer
    yield from arriving
