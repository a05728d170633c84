"""How long each stage of an answer takes."""

import time

from knowledgetree.tracing import record_span


class Clock:
    """Milliseconds between laps, by stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage] = self.laps.get(stage, 0.0) + (now - self._last) * 1000
        record_span(stage, now - self._last)
        self._last = now
