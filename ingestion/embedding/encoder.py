"""A loaded model at work: long jobs give way to questions, like lengths share a batch."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.embedding.batch_size import BatchSize

_FILLED = 0.7  # of a batch's rows at least; a small batch costs less than the padding of a large one


class Encoder:
    """One thread at a time works with the model: tokenisers bear no two, and the model uses all cores anyway."""

    def __init__(self, model: Any, *, batch_size: int = 0) -> None:
        self._model = model
        self._batch = BatchSize(batch_size, device=model.device.type)
        self._next = Lock()
        self._free = Lock()

    @property
    def batch_size(self) -> int:
        """The texts of a batch as they stand: given, measured or still being measured."""
        return self._batch.size

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), in the order of `texts`, as the model gives them."""
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        if not self._batch.measured:  # begin at the middle, where lengths are alike and usual
            order = order[len(order) // 2 :] + order[: len(order) // 2]
        vectors: dict[int, NDArray[np.float32]] = {}
        while order:
            batch = self._alike(order, texts)
            encoded = self._encode_batch([texts[place] for place in batch])
            if encoded is None:
                continue
            vectors |= zip(batch, encoded, strict=True)
            del order[: len(batch)]
        return np.stack([vectors[place] for place in range(len(texts))])

    def _alike(self, order: Sequence[int], texts: Sequence[str]) -> list[int]:
        """The first of `order`, a batch at most: those that need little padding up to the first of them."""
        longest = len(texts[order[0]])
        return list(
            takewhile(lambda place: _FILLED * longest <= len(texts[place]) <= longest, order[: self._batch.size])
        )

    def _encode_batch(self, texts: list[str]) -> NDArray[np.float32] | None:
        """None where the device ran out of memory, and a smaller batch may fit."""
        with self._turn():
            started = time.perf_counter()
            try:
                encoded = self._model.encode(
                    texts, batch_size=len(texts), normalize_embeddings=False, show_progress_bar=False
                )
            except RuntimeError as error:
                if "out of memory" not in str(error) or len(texts) == 1 or not self._batch.halve():
                    raise
                return None
            self._batch.record(texts=len(texts), longest=max(map(len, texts)), seconds=time.perf_counter() - started)
        return np.asarray(encoded, dtype=np.float32)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Whoever waits goes before the next batch of the one at work: a bare lock would be taken back at once."""
        with self._next:
            self._free.acquire()
        try:
            yield
        finally:
            self._free.release()
