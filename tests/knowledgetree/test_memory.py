"""What a web process has no use for is not in its memory."""

import subprocess
import sys

import pytest

_LOADED = """
import sys, django
django.setup()
import knowledgetree.urls
print([name for name in ("scipy", "networkx", "torch", "sklearn", "spacy") if name in sys.modules])
"""


@pytest.mark.slow
def test_a_web_process_loads_no_library_that_only_workers_and_measurements_use() -> None:
    found = subprocess.run([sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
