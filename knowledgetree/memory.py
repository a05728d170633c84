"""How Python and the C library keep memory: what suits a program of many modules and few threads at work."""

import ctypes
import gc

_ARENA_MAX = -8  # M_ARENA_MAX of glibc's malloc.h
_ARENAS = 2


def seek_garbage_seldom() -> None:
    """Python would look through the thousands of objects that imports leave hundreds of times, a sixth of their time.
    What it looks for, objects that refer to each other in a circle, comes by the dozen with a request.
    """
    gc.set_threshold(50_000, 20, 100)


def share_arenas() -> None:
    """Threads get memory from two arenas instead of eight a processor, none of which gives back what it once had. Only
    before the first thread starts; where the C library is another than glibc it does nothing.
    """
    setting = getattr(ctypes.CDLL(None), "mallopt", None)
    if setting is not None:
        setting(_ARENA_MAX, _ARENAS)
