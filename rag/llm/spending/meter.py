"""Usage is noted where requests are made, and booked in the end of whatever they were made for."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from knowledgetree.postgres.optional import optional_write
from knowledgetree.tracing import note_on_span
from rag.llm.spending.ledger import Use, add_to_ledger
from rag.models.spending import NOBODY
from rag.types import Tokens

_assistant: ContextVar[int] = ContextVar("spending_for", default=NOBODY)
unbooked_uses: deque[Use] = deque(maxlen=10_000)
"""What this process has not written down yet, of all its questions."""


def assistant_spending() -> int | None:
    """For whom requests are made here and now; None: for nobody in particular."""
    return _assistant.get() or None


def note_usage(model: str, tokens: Tokens) -> None:
    """One request to `model`, still under way here, has used `tokens`. Takes no connection: it may run anywhere."""
    if tokens.total:
        unbooked_uses.append(Use(assistant=_assistant.get(), model=model, tokens=tokens))
        note_on_span({"gen_ai.usage.input_tokens": tokens.input, "gen_ai.usage.output_tokens": tokens.output})


@contextmanager
def spending_for(assistant: int | None = None) -> Iterator[None]:
    """Requests to models made inside count for `assistant`; None: for nobody in particular.

    Threads count for whoever started them, where they were given the context. What is noted too late, by a request
    that nobody waited for, is booked with the next.
    """
    before = _assistant.get()
    _assistant.set(assistant or NOBODY)  # no token: a generator may be closed in another context
    try:
        yield
    finally:
        _assistant.set(before)
        book_usage()


def book_usage() -> None:
    """Write down all that has been noted; what the database cannot take now is kept for the next time."""
    uses = [unbooked_uses.popleft() for _ in range(len(unbooked_uses))]
    if not uses:  # a write of nothing would count as one that went well, see `writes_fail`
        return
    booked = False
    try:
        with optional_write("what language models cost"):
            add_to_ledger(uses)
            booked = True
    finally:
        if not booked:
            unbooked_uses.extend(uses)
