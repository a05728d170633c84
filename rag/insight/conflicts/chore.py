"""The board is brought up to date every half hour, some minutes at a time: other work of the queue goes on."""

from django_q.tasks import async_task

from rag.insight.conflicts.comparing import compare_documents

_SECONDS = 300.0  # a task of the queue may last 1800
_AGAIN = "rag.insight.conflicts.chore.find_conflicts"


def find_conflicts() -> int:
    """How many contradictions were found. Where documents are left, the next turn is queued behind what waits."""
    compared = compare_documents(seconds=_SECONDS)
    if compared.left and compared.documents:
        queue_next_turn()
    return compared.found


def queue_next_turn() -> None:
    """Have the worker go on."""
    async_task(_AGAIN)
