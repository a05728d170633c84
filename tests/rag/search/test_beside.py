"""Work is done beside the caller's only where a connection can be had for it, and for a part of the pool alone."""

from threading import Event

import pytest
from django.db import connection

from rag.search.retrieval import beside as module
from rag.search.retrieval.beside import beside, search_under_way


@pytest.fixture
def pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "pool", True)


def test_without_a_pool_it_is_done_when_it_is_called() -> None:
    done = Event()
    result = beside(done.set)
    assert not done.is_set()
    result()
    assert done.is_set()


@pytest.mark.usefixtures("pooled")
def test_with_a_pool_it_has_begun_meanwhile() -> None:
    begun = Event()
    result = beside(begun.set)
    assert begun.wait(timeout=60)
    assert result() is None


@pytest.mark.usefixtures("pooled")
def test_readers_who_all_wait_for_a_second_connection_do_not_stop_each_other() -> None:
    end = Event()
    asked = [beside(end.wait) for _ in range(20)]
    here = [work for work in asked if work == end.wait]
    end.set()
    assert len(here) == 12  # of a pool of twenty
    assert all(work() for work in asked)
    assert beside(end.wait) != end.wait  # there is room again


@pytest.mark.usefixtures("pooled")
def test_an_error_reaches_the_caller_and_leaves_room() -> None:
    def fail() -> None:
        raise ValueError("no")

    for _ in range(20):
        with pytest.raises(ValueError, match="no"):
            beside(fail)()


@pytest.mark.usefixtures("pooled")
def test_where_every_processor_has_a_search_it_is_done_when_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_processors", 2)
    end = Event()
    end.set()
    with search_under_way():
        assert beside(end.wait) != end.wait
        with search_under_way():
            assert beside(end.wait) == end.wait
        assert beside(end.wait)()  # there is one free again
