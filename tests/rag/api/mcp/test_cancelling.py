"""A call that nobody waits for any more."""

from collections.abc import Generator
from typing import Any

import pytest

from rag.api.mcp.tools import _followed
from rag.events import Event, Started


class Cancelled(Exception):
    pass


def test_a_cancelled_call_closes_its_answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when the garbage collector comes by, which may be in the middle of another thread's statement."""
    closed = list[bool]()

    def events() -> Generator[Event, None, None]:
        try:
            yield Started(question="Ile dni urlopu?", trace_id="-")
        finally:
            closed.append(True)

    def cancel() -> None:
        raise Cancelled

    monkeypatch.setattr("rag.api.mcp.tools.from_thread.check_cancelled", cancel)
    context: Any = None
    with pytest.raises(Cancelled) as raised:  # which keeps the frames, and what they hold, alive
        list(_followed(events(), context))
    assert closed
    assert raised
