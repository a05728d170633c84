"""Which kind of thing answers a question, recognised once: a person, a date, an amount; a reason, steps, yes or no."""

from rag.understanding.expected.answer import ExpectedAnswer, expected
from rag.understanding.expected.kinds import THINGS, Kind, Shape, Thing
from rag.understanding.expected.values import NUMBER

__all__ = ["NUMBER", "THINGS", "ExpectedAnswer", "Kind", "Shape", "Thing", "expected"]
