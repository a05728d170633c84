"""What is done at night, called by the task queue."""

from rag.answering.cache.answers import AnswerCache
from rag.llm.configuration import settings_in_force


def forget_old_answers() -> int:
    """Delete answers that are not given again any more; how many."""
    return AnswerCache(settings_in_force()).forget_old()
