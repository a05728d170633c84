"""What a chunk is searched by."""

from collections.abc import Sequence

_NEAR = 500  # characters at the start of a chunk in which its own heading stands


def searched_text(*, title: str, headings: Sequence[str], text: str) -> str:
    """The document's title, the headings above the chunk and its text, nothing of it twice."""
    start = text[:_NEAR]
    return "\n".join([*(line for line in dict.fromkeys([title, *headings]) if line not in start), text])
