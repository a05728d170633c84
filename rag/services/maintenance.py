"""What is done at night, called by the task queue."""

from knowledgetree.conf import rag_settings
from rag.answering.cache.answers import AnswerCache


def forget_old_answers() -> int:
    """Delete answers that are not given again any more; how many."""
    return AnswerCache(rag_settings()).forget_old()
