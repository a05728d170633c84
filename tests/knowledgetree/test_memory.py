"""How the C library keeps the memory of threads."""

import ctypes
import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, sys, threading
from knowledgetree.memory import share_arenas

if sys.argv[1] == "shared":
    share_arenas()
library = ctypes.CDLL(None)
together = threading.Barrier(8)


def work():
    together.wait()
    for _ in range(1000):
        library.malloc(ctypes.c_size_t(3000))
    together.wait()


threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library.fopen.restype = ctypes.c_void_p
output = library.fopen(b"/dev/stdout", b"w")
library.malloc_info(0, ctypes.c_void_p(output))
library.fflush(ctypes.c_void_p(output))
"""


def arenas(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True)
    return done.stdout.count("<heap ")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="the C library is not glibc")
def test_threads_share_two_arenas() -> None:
    assert arenas("shared") == 2
    assert arenas("their own") > 2
