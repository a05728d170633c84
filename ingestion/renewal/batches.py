"""Work on an index that serves: a batch, a rest, and the next one, as long as it is wished and there is time."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from knowledgetree.conf import ReembeddingSettings

T = TypeVar("T")

_CONTENTION_SECONDS = 0.2  # before what somebody held or changed is looked at again


def work_in_batches(
    following: Callable[[int], Sequence[T]],
    do: Callable[[Sequence[T]], bool],
    *,
    key: Callable[[T], int],
    wished: Callable[[], bool],
    settings: ReembeddingSettings,
    seconds: float,
) -> bool:
    """Work for about `seconds`, a share of them at rest; whether nothing was found to be left.

    `following` gives the next batch above a key; what is left behind is asked for once more from the beginning. `do`
    says whether anything came of a batch. Stops after a batch when the work is not `wished` any more.
    """
    end, position = time.monotonic() + seconds, 0
    while time.monotonic() < end and wished():
        started = time.monotonic()
        batch = following(position)
        if not batch:
            if not position:
                return True
            position = 0
            continue
        position = key(batch[-1])
        done = do(batch)
        worked = time.monotonic() - started if done else _CONTENTION_SECONDS
        time.sleep(worked * settings.rest / (1 - settings.rest))
    return False
