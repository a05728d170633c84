"""What a research may take."""

import time


class Budget:
    """`seconds` from now on, and `queries`: how many searches may still begin."""

    def __init__(self, *, seconds: float, queries: int) -> None:
        self._deadline = time.monotonic() + seconds
        self.queries = queries

    @property
    def seconds(self) -> float:
        """Left; never below 0."""
        return max(0.0, self._deadline - time.monotonic())

    @property
    def spent(self) -> bool:
        return self.queries <= 0 or self.seconds <= 0

    def spend_query(self) -> None:
        self.queries -= 1
