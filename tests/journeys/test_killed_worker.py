"""A killed worker loses no document and indexes none twice."""

import signal
from pathlib import Path

from tests.installation import installation, wait_until

DOCUMENTS = 12


def test_a_killed_worker_loses_no_document(tmp_path: Path) -> None:
    folder = tmp_path / "dokumenty"
    folder.mkdir()
    for n in range(DOCUMENTS):
        text = "\n\n".join(f"Paragraf {p} dokumentu {n} mówi o urlopach, opłatach i fakturach." for p in range(120))
        (folder / f"{n}.md").write_text(f"# Dokument {n}\n\n{text}", encoding="utf-8")

    with installation(tmp_path / "var", "kt_killed_worker", JOB_STALE_SECONDS="2") as site:
        site.manage("index", str(folder), "--collection", "proba", "--queue")

        def count(status: str) -> int:
            rows = site.sql(f"SELECT count(*) FROM ingestion_document WHERE status = '{status}'")
            return int(str(rows[0][0]))

        worker = site.start("manage.py", "worker")
        wait_until(lambda: count("ready") >= 2)
        site.end(worker, signal.SIGKILL)
        ready_when_killed = count("ready")
        assert ready_when_killed < DOCUMENTS, "the worker was too quick to be killed in the middle"
        wait_until(site.nobody_works)

        site.start("manage.py", "worker")
        wait_until(lambda: count("ready") == DOCUMENTS)
        wait_until(lambda: site.sql("SELECT count(*) FROM ingestion_job WHERE status <> 'succeeded'") == [(0,)])
        twice = "SELECT document_id FROM ingestion_extraction GROUP BY 1 HAVING count(*) > 1"
        assert site.sql(twice) == []
        chunks, counted = site.sql(
            "SELECT (SELECT count(*) FROM ingestion_chunk), (SELECT sum(chunks) FROM ingestion_collectionstatistics)"
        )[0]
        assert chunks == counted
        assert site.sql("SELECT sum(chunk_count) FROM ingestion_document") == [(chunks,)]
