"""All texts are split anew under searches through two web processes, while those who do it are killed."""

import signal
from pathlib import Path

import pytest

from tests.installation import Installation, installation, wait_until
from tests.journeys.reembedding import WORDS, Load

DOCUMENTS = 24
_INDEX = """
from ingestion.models import Collection
from ingestion.services.corpora import CorpusEntry, index_corpus
W = {words!r}
collection = Collection.objects.create(slug="zbior", name="Zbiór", visibility="public")
texts = [" ".join(W[(n * 7 + k * k + k * n) % len(W)] + "." * (k % 9 == 8) for k in range(900)) for n in range({n})]
entries = [CorpusEntry(uri=f"d{{n}}", title=f"Dokument {{n}}", text=t) for n, t in enumerate(texts)]
index_corpus(collection=collection, entries=entries)
"""
_UNLIKE_COUNTED = """
SELECT count(*) FROM ingestion_document d
WHERE d.chunk_count <> (SELECT count(*) FROM ingestion_chunk c WHERE c.document_id = d.id) OR d.status <> 'ready'
"""
_WITHOUT_ITS_VECTOR = """
SELECT count(*) FROM ingestion_chunk c
WHERE NOT EXISTS (SELECT FROM ingestion_chunkembedding e WHERE e.chunk_id = c.id)
    OR NOT EXISTS (SELECT FROM ingestion_posting p WHERE p.chunk_id = c.id)
"""


def done(site: Installation) -> int:
    rows = site.sql("SELECT coalesce(max(done), 0) FROM ingestion_rechunking")
    return int(str(rows[0][0]))


@pytest.mark.slow
def test_searches_go_on_while_texts_are_split_anew_and_workers_are_killed(tmp_path: Path) -> None:
    with installation(tmp_path / "var", "kt_live_rechunking", JOB_STALE_SECONDS="2", REEMBEDDING_REST="60") as site:
        site.manage("shell", "-c", _INDEX.format(words=WORDS, n=DOCUMENTS))
        before = site.sql("SELECT count(*) FROM ingestion_chunk")
        loads = [Load(site.start_web(SEARCH_RATE="1000000/min"), pause=0.2) for _ in range(2)]
        for load in loads:
            load.start()
        command = site.start("manage.py", "reembed", "--rechunk", "--chunk-size", "64")
        wait_until(lambda: done(site) >= 1)
        site.end(command, signal.SIGKILL)
        assert done(site) < DOCUMENTS, "the command was too quick to be killed on the way"
        reached = done(site)
        wait_until(site.nobody_works)
        worker = site.start("manage.py", "worker", WORKERS="2")
        wait_until(lambda: done(site) > reached)
        site.end(worker, signal.SIGKILL)
        wait_until(site.nobody_works)
        site.start("manage.py", "worker", WORKERS="2")
        wait_until(lambda: site.sql("SELECT status FROM ingestion_rechunking") == [("done",)])
        for load in loads:
            load.phase = "done"
        wait_until(lambda: all(load.searched("done") for load in loads))
        for load in loads:
            load.end()
            assert load.faults == []
            assert {"idle", "done"} <= load.seconds.keys()
        assert site.sql(_UNLIKE_COUNTED) == [(0,)]
        assert site.sql(_WITHOUT_ITS_VECTOR) == [(0,)]
        assert site.sql("SELECT count(*) FROM ingestion_chunk") > before
