"""What takes seconds and megabytes to load, once a process: threads that come meanwhile wait for the first."""

import threading
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")


def loaded_once(load: Callable[[], T]) -> Callable[[], T]:
    """`load`, called once. `lru_cache` would call it for each thread that asks before the first has its answer."""
    lock = threading.Lock()
    loaded: list[T] = []

    @wraps(load)
    def get() -> T:
        if not loaded:
            with lock:
                if not loaded:
                    loaded.append(load())
        return loaded[0]

    return get
