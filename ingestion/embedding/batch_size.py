"""How many texts a model gets at once: measured on the first texts it embeds, which are embedded by that as well."""

import logging
from collections.abc import Sequence

log = logging.getLogger("knowledgetree.jobs")

_CANDIDATES = {"cpu": (8, 16, 32, 64), "other": (32, 64, 128, 256, 512)}
_AS_GOOD = 0.95  # of the best throughput: a smaller batch takes less memory and lets a question in sooner


class BatchSize:
    """`size` is the one to use next. While the candidates are measured it goes up, then it stays at the best.

    `fixed` other than 0 is used as it is. `device` is torch's name of the device type; accelerators want more.
    """

    def __init__(self, fixed: int = 0, *, device: str = "cpu") -> None:
        self._candidates: Sequence[int] = _CANDIDATES.get(device, _CANDIDATES["other"])
        self._throughput: dict[int, float] = {}
        self._warm = False
        self.measured = fixed > 0
        self.size = fixed or self._candidates[0]

    def record(self, *, texts: int, longest: int, seconds: float) -> None:
        """A batch of `texts` took `seconds`; `longest` is the length that the others were padded to, in characters."""
        if self.measured or texts < self.size:
            return
        if not self._warm:  # the first batch also pays for memory, threads and kernels
            self._warm = True
            return
        self._throughput[self.size] = texts * longest / max(seconds, 1e-9)
        best = max(self._throughput.values())
        larger = [size for size in self._candidates if size > self.size]
        if larger and self._throughput[self.size] >= _AS_GOOD * best:
            self.size = larger[0]
            return
        self.size = min(size for size, speed in self._throughput.items() if speed >= _AS_GOOD * best)
        self.measured = True
        log.info("measured the batch size", extra={"fields": {"size": self.size, "throughput": self._throughput}})

    def halve(self) -> bool:
        """After the device ran out of memory. False where there is nothing left to halve."""
        self.measured, smaller = True, self.size // 2
        self.size = max(1, smaller)
        return smaller > 0
