"""What a process has no use for is not in its memory, and threads share what there is."""

import ctypes
import subprocess
import sys

import pytest

_LOADED = """
import sys, django
django.setup()
import knowledgetree.urls
print([name for name in ("scipy", "networkx", "torch", "sklearn", "spacy", "reportlab") if name in sys.modules])
"""

_COMMANDED = """
import sys
from django.core.management import ManagementUtility, get_commands, load_command_class
ManagementUtility(["manage.py", "help"]).execute()
worker = load_command_class(get_commands()["worker"], "worker")
worker.check(tags=worker.requires_system_checks)
print([name for name in sys.modules if name in ("knowledgetree.urls", "rag.admin", "ingestion.admin", "rag.chat")])
"""

_SERVED = """
import os, sys
import knowledgetree.asgi
print([name for name in ("knowledgetree.urls", "rag.admin", "ingestion.admin") if name not in sys.modules], flush=True)
os._exit(0)  # whatever is being warmed up
"""

_THREADS = """
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


pytestmark = pytest.mark.slow


def last_line(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_a_web_process_loads_no_library_that_few_of_its_requests_use() -> None:
    assert last_line(_LOADED) == "[]"


def test_a_worker_reads_no_pages_before_it_works() -> None:
    """They are a second of every command's start."""
    assert last_line(_COMMANDED) == "[]"


def test_a_web_process_has_its_pages_before_the_first_reader_comes() -> None:
    assert last_line(_SERVED) == "[]"


def arenas(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", _THREADS, how], capture_output=True, text=True, check=True)
    return done.stdout.count("<heap ")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="the C library is not glibc")
def test_threads_share_two_arenas() -> None:
    assert arenas("shared") == 2
    assert arenas("their own") > 2
