"""Searches under load: how long each stage takes, how many a second, and what the process weighs."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

from ingestion.models import Chunk, Collection
from ingestion.text.sentences import sentence_spans
from rag.evaluation.measures.latency import STAGES, TOTAL, Latency, percentiles

Search = Callable[[str], Mapping[str, float]]
"""Asks one question; the milliseconds by stage. Raises where the search fails."""

Progress = Callable[[int, int], None]
_WORDS = (4, 14)  # of a sentence that can stand for a question


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """`pause` in seconds: how long each of `readers` reads before the next question, 0.5 to 1.5 times that; 0: not at
    all.
    """

    readers: int = 1
    pause: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """`latency` as the reader has it (`total`), in the process that searches (`stages`) and by stage; `throughput` in
    searches a second.
    """

    load: Load
    searches: int
    failures: tuple[str, ...]
    latency: Latency
    throughput: float


class IndexingReport(Protocol):
    """How fast passages were indexed: `seconds` by stage of the job."""

    @property
    def passages(self) -> int: ...
    @property
    def seconds(self) -> Mapping[str, float]: ...
    @property
    def a_second(self) -> float: ...


def put_load(search: Search, questions: Sequence[str], load: Load, progress: Progress) -> LoadReport:
    """Every question once, by `load.readers` threads side by side. A failure is counted, not raised."""
    times: list[Mapping[str, float]] = []
    failures: list[str] = []

    def ask(question: str) -> None:
        try:
            started = time.perf_counter()
            stages = search(question)
            waited = (time.perf_counter() - started) * 1000
            times.append({**stages, STAGES: sum(stages.values()), TOTAL: waited})
        except Exception as error:  # the report names every kind of failure
            failures.append(f"{type(error).__name__}: {error}")
        progress(len(times) + len(failures), len(questions))
        time.sleep(load.pause * random.uniform(0.5, 1.5))  # noqa: S311  (readers in step would queue)

    started = time.perf_counter()
    if load.readers == 1:  # in the caller's thread, with its database connection
        list(map(ask, questions))
    else:
        with ThreadPoolExecutor(max_workers=load.readers) as readers:
            list(readers.map(ask, questions))
    seconds = time.perf_counter() - started
    return LoadReport(
        load=load,
        searches=len(times),
        failures=tuple(failures),
        latency=percentiles(times),
        throughput=len(times) / seconds,
    )


def sentences_as_questions(collection: Collection, number: int) -> list[str]:
    """Sentences of the collection's own chunks, spread over all of it, where nobody has written questions."""
    chunks = Chunk.objects.filter(collection=collection, enabled=True)
    step = max(1, chunks.count() // max(1, number))
    keys = chunks.order_by("pk").values_list("pk", flat=True)[::step]
    texts = Chunk.objects.filter(pk__in=list(keys)).values_list("text", flat=True)
    return list(islice(filter(None, map(_question_like, texts)), number))


def _question_like(text: str) -> str:
    least, most = _WORDS
    sentences = (text[start:end] for start, end in sentence_spans(text))
    return next((sentence for sentence in sentences if least <= len(sentence.split()) <= most), "")


def resident_megabytes(process: int | str = "self") -> float | None:
    """The memory a process holds, in MB of 10^6 bytes; None where the system does not say (not Linux)."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    kibibytes = next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), None)
    return kibibytes * 1024 / 1e6 if kibibytes is not None else None
