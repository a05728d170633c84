"""What the reader sees of a draft only once it is known what the draft is worth."""

from collections.abc import Generator
from typing import TypeVar

from rag.events import AnswerDelta, CitationAdded, Event

Made = TypeVar("Made")


class Held:
    """`events` are the citations and texts held back, in order."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def back(self, stream: Generator[Event, None, Made]) -> Generator[Event, None, Made]:
        """The other events of `stream`, and what it returns."""
        while True:
            try:
                event = next(stream)
            except StopIteration as end:
                made: Made = end.value
                return made
            if isinstance(event, AnswerDelta | CitationAdded):
                self.events.append(event)
            else:
                yield event
