"""The dictionaries of a process are loaded once, however many ask first."""

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ingestion.text.loading import loaded_once

FORTY_FIRST_QUESTIONS = """
import json, threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import morfeusz2

from ingestion.text.analyser import analyser
from ingestion.text.morphology.dictionaries import KeptDictionaries

loads, together, own = Counter(), threading.Barrier(40), KeptDictionaries._dictionary

def counted(self, lang):
    loads[lang] += 1
    return own(self, lang)

KeptDictionaries._dictionary = counted

def ask(number):
    together.wait()
    return analyser().words(f"nieznaneslowo{'abcdefghij'[number % 10]} endpoints urlopu"), id(analyser())

with ThreadPoolExecutor(40) as readers:
    answers = list(readers.map(ask, range(40)))
print(json.dumps({"loads": loads, "analysers": len({one for _, one in answers})}))
"""


@pytest.mark.slow
def test_forty_first_questions_load_each_dictionary_once() -> None:
    found = subprocess.run([sys.executable, "-c", FORTY_FIRST_QUESTIONS], check=True, capture_output=True, text=True)
    assert json.loads(found.stdout) == {"loads": {"pl": 1, "en": 1}, "analysers": 1}


def test_who_comes_while_something_is_loaded_waits_for_it() -> None:
    loads, together = [], threading.Barrier(8)

    @loaded_once
    def load() -> object:
        loads.append(1)
        threading.Event().wait(0.05)
        return object()

    def ask(_: int) -> object:
        together.wait()
        return load()

    with ThreadPoolExecutor(8) as readers:
        assert len(set(readers.map(ask, range(8)))) == 1
    assert len(loads) == 1
