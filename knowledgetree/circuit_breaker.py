"""A circuit breaker: who has just failed several times is not asked again for a while (Nygard, Release It!, 2007)."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CircuitBreaker:
    """Opens after `failures` in a row and lets nothing through for `seconds`, then a single request to see.

    If that one succeeds everything goes through again, if it fails nothing does for as long. `refusal` makes the error
    that is raised meanwhile, from the seconds that are left. Thread-safe.
    """

    def __init__(
        self,
        *,
        failures: int,
        seconds: float,
        refusal: Callable[[int], Exception],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit = failures
        self._refusal = refusal
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._opened_at = 0.0
        self._probing = False

    @contextmanager
    def watch(self, *, is_failure: Callable[[Exception], bool | None]) -> Iterator[None]:
        """Around one request. Raises the refusal at once while the circuit is open.

        A request that ends well, or in an error that is no failure, closes the circuit. One whose error proves nothing
        (None), or that is broken off from outside (GeneratorExit), leaves it as it is.
        """
        probe = self._enter()
        try:
            yield
        except Exception as error:
            self._note(failed=is_failure(error))
            raise
        else:
            self._note(failed=False)
        finally:
            if probe:
                self._probing = False

    def check(self) -> None:
        """Raises the refusal while nothing is let through."""
        with self._lock:
            self._refuse_while_open()

    def _enter(self) -> bool:
        """Whether the request about to be made is the one that sees whether the server is back."""
        with self._lock:
            self._refuse_while_open()
            self._probing = self._failed >= self._limit
            return self._probing

    def _refuse_while_open(self) -> None:
        if self._failed < self._limit:
            return
        left = self._opened_at + self._seconds - self._clock()
        if left <= 0 and not self._probing:
            return
        raise self._refusal(max(1, round(left)))

    def _note(self, *, failed: bool | None) -> None:
        with self._lock:
            if failed is not None:
                self._failed = self._failed + 1 if failed else 0
            if failed and self._failed >= self._limit:
                self._opened_at = self._clock()
