"""Searches that go on while every vector is computed anew and workers are killed: for the test and the benchmark."""

import json
import signal
import statistics
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.installation import Installation, wait_until

WORDS = (
    "urlop faktura umowa wniosek termin opłata urząd podatek szkoła lekarz droga budynek energia woda gmina rada "
    "decyzja odwołanie dowód paszport firma pracownik zasiłek emerytura mieszkanie remont przetarg oferta"
).split()

_INDEX = """
from ingestion.models import Collection
from ingestion.services.corpora import CorpusEntry, index_corpus
W = {words!r}
collection = Collection.objects.create(slug="zbior{part}", name="Zbiór {part}", visibility="public")
texts = [" ".join(W[(n * 7 + k * k + k * n) % len(W)] for k in range(30)) for n in range({start}, {end})]
entries = [CorpusEntry(uri=f"d{{n}}", title=f"Dokument {{n}}", text=t + ".") for n, t in enumerate(texts, {start})]
index_corpus(collection=collection, entries=entries)
"""
_REEMBED = """
from ingestion.services.spaces import activate_space, create_space
space = create_space(embedder={embedder!r}, options={options!r}, name="nowa")
activate_space(space=space)
"""
_COMPARE = """
import numpy as np
from ingestion.models import Chunk, ChunkEmbedding, EmbeddingSpace
from ingestion.index.vectors import chunk_vectors, draft_of
space = EmbeddingSpace.objects.get(name="nowa")
chunks = list(Chunk.objects.select_related("document").order_by("?")[:200])
found = dict(ChunkEmbedding.objects.filter(space=space, part=0).values_list("chunk_id", "embedding"))
vectors = chunk_vectors([draft_of(c) for c in chunks], titles=[c.document.title for c in chunks], space=space)
print(min(float(np.dot(v[0], np.asarray(found[c.pk]))) for c, v in zip(chunks, vectors)))
"""
_WITHOUT_EXACTLY_ONE = """
SELECT count(*) FROM ingestion_chunk c WHERE c.enabled AND 1 <> (
    SELECT count(*) FROM ingestion_chunkembedding e JOIN ingestion_embeddingspace s ON s.id = e.space_id
    WHERE e.chunk_id = c.id AND s.name = 'nowa' AND e.part = 0)
"""


@dataclass
class Load:
    """A reader who searches, waits for `pause` seconds and searches again; what was seen, by phase."""

    address: str
    pause: float = 0.05
    phase: str = "idle"
    seconds: dict[str, list[float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self, readers: int = 1) -> None:
        self._threads = [threading.Thread(target=self._read, args=[n], daemon=True) for n in range(readers)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(timeout=60)

    def searched(self, phase: str, times: int = 10) -> bool:
        return len(self.seconds.get(phase, ())) >= times

    def p95(self, phase: str) -> float:
        return statistics.quantiles(self.seconds[phase], n=20)[-1]

    def _read(self, reader: int) -> None:
        n = reader
        while not self._ended.is_set():
            n += 1
            query = f"{WORDS[n % len(WORDS)]} {WORDS[(n * 5 + 3) % len(WORDS)]}"
            phase, started = self.phase, time.perf_counter()
            try:
                url = f"{self.address}/api/search"
                body = json.dumps({"query": query, "top_k": 5}).encode()
                request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
                with urllib.request.urlopen(request, timeout=60) as answer:
                    found = json.load(answer)
            except OSError as error:
                self.faults.append(f"{phase}: {error}")
            else:
                self.seconds.setdefault(phase, []).append(time.perf_counter() - started)
                if not found["passages"]:
                    self.faults.append(f"{phase}: nothing found for {query}")
            self._ended.wait(self.pause)


def live_reembedding(
    site: Installation,
    *,
    chunks: int,
    embedder: str,
    options: Mapping[str, Any],
    idle_seconds: float = 0.0,
    pause: float = 0.05,
    kills: int = 2,
) -> Load:
    """Index, search, re-embed with `kills` killed workers, and check every vector; the load with its times.

    Each phase lasts for ten searches at least, the first for `idle_seconds` and the last for a quarter of these.

    Raises AssertionError where a search failed or found nothing, or a chunk has not exactly its vector.
    """
    for part, start in enumerate(range(0, chunks, 2000)):
        end = min(chunks, start + 2000)
        site.manage("shell", "-c", _INDEX.format(words=WORDS, part=part, start=start, end=end))
    load = Load(site.start_web(SEARCH_RATE="1000000/min"), pause=pause, phase="warming up")
    load.start()
    wait_until(lambda: load.searched(load.phase))
    load.phase = "idle"
    time.sleep(idle_seconds)
    wait_until(lambda: load.searched(load.phase))
    site.manage("shell", "-c", _REEMBED.format(embedder=embedder, options=dict(options)))
    load.phase = "filling"
    for kill in range(1, kills + 1):
        worker = site.start("manage.py", "worker", WORKERS="1")
        wait_until(lambda share=kill / (kills + 2): _filled(site) >= share * chunks, seconds=3600)
        site.end(worker, signal.SIGKILL)
        assert _filled(site) < chunks, "the worker was too quick to be killed on the way"
        wait_until(site.nobody_works)
    site.start("manage.py", "worker", WORKERS="1")
    active = "SELECT name FROM ingestion_embeddingspace WHERE status = 'active'"
    wait_until(lambda: site.sql(active) == [("nowa",)], seconds=3600)
    load.phase = "activated"
    time.sleep(idle_seconds / 4)
    wait_until(lambda: load.searched(load.phase))
    load.end()
    assert load.faults == []
    assert site.sql(_WITHOUT_EXACTLY_ONE) == [(0,)]
    assert float(site.manage("shell", "-c", _COMPARE).stdout.split()[-1]) > 0.999
    return load


def _filled(site: Installation) -> int:
    rows = site.sql(
        "SELECT count(*) FROM ingestion_chunkembedding e JOIN ingestion_embeddingspace s ON s.id = e.space_id "
        "WHERE s.name = 'nowa'"
    )
    return int(str(rows[0][0]))
