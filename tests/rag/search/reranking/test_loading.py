"""No search waits past its deadline for a model, and one that cannot be loaded is not tried at every question."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rag.errors import RerankingFailed
from rag.search.reranking import loading
from rag.search.reranking.loading import ModelThread


def soon(seconds: float = 30.0) -> float:
    return time.monotonic() + seconds


class SlowModel:
    """Loaded when it is let."""

    def __init__(self) -> None:
        self.let, self.loads = threading.Event(), 0

    def load(self) -> str:
        self.loads += 1
        assert self.let.wait(30)
        return "model"


def test_the_model_is_loaded_on_first_use_and_once() -> None:
    slow = SlowModel()
    slow.let.set()
    thread = ModelThread(slow.load)
    assert slow.loads == 0
    with ThreadPoolExecutor(4) as searches:
        done = list(searches.map(lambda _: _attempt(thread), range(8)))
    assert "model!" in done
    assert thread.run(lambda model: model, deadline=soon()) == "model"
    assert slow.loads == 1


def _attempt(thread: ModelThread[str]) -> str:
    try:
        return thread.run(lambda model: model + "!", deadline=soon())
    except RerankingFailed as error:  # those that came while it was being loaded
        return error.code


def test_loading_goes_on_past_the_deadline_for_the_next_search() -> None:
    slow = SlowModel()
    thread = ModelThread(slow.load)
    with pytest.raises(RerankingFailed):
        thread.run(str.upper, deadline=soon(0.05))
    with pytest.raises(RerankingFailed):  # and nobody else waits for it
        thread.run(str.upper, deadline=soon())
    slow.let.set()
    _until_loaded(thread)
    assert thread.run(str.upper, deadline=soon()) == "MODEL"
    assert slow.loads == 1


def _until_loaded(thread: ModelThread[str]) -> None:
    deadline = soon()
    while time.monotonic() < deadline:
        try:
            thread.run(str, deadline=deadline)
        except RerankingFailed:
            time.sleep(0.01)
        else:
            return
    raise AssertionError("never loaded")


def test_a_failure_is_remembered_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = []

    def load() -> str:
        loads.append(time.monotonic())
        raise OSError("no such folder: /srv/secret/models")

    thread = ModelThread(load)
    for _ in range(3):
        with pytest.raises(RerankingFailed) as failed:
            thread.run(str.upper, deadline=soon())
    assert len(loads) == 1
    assert "RERANKER_MODEL" in str(failed.value)
    assert "/srv/secret" not in str(failed.value)  # the reader sees the message, the administrator the log
    monkeypatch.setattr(loading, "_RETRY_SECONDS", 0.0)
    with pytest.raises(RerankingFailed):
        thread.run(str.upper, deadline=soon())
    assert len(loads) == 2


def test_a_model_that_breaks_fails_the_reranking_and_serves_the_next() -> None:
    thread = ModelThread(lambda: "model")

    def broken(model: str) -> str:
        raise RuntimeError("out of memory")

    with pytest.raises(RerankingFailed):
        thread.run(broken, deadline=soon())
    assert thread.run(str.upper, deadline=soon()) == "MODEL"


def test_work_that_never_got_its_turn_is_not_done_later() -> None:
    thread, busy, done = ModelThread(lambda: "model"), threading.Event(), []
    thread.run(str, deadline=soon())
    with ThreadPoolExecutor(1) as other:
        long = other.submit(thread.run, lambda model: busy.wait(30), deadline=soon())
        time.sleep(0.05)
        with pytest.raises(RerankingFailed):
            thread.run(done.append, deadline=soon(0.05))
        busy.set()
        assert long.result() is True
    thread.run(str, deadline=soon())
    assert done == []
