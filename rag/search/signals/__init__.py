"""What passages show of a question, as numbers, for the order of passages and for their relevance."""

from rag.search.signals.lexical import SIGNALS
from rag.search.signals.passages import PassageWords
from rag.search.signals.question import OtherWords, QuestionSignals, QuestionWord

__all__ = ["SIGNALS", "OtherWords", "PassageWords", "QuestionSignals", "QuestionWord"]
