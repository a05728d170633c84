"""One process of the queue after the other is killed: the documents that come then are read all the same."""

import signal
from pathlib import Path

import psutil
import pytest

from tests.installation import Installation, installation, wait_until

DOCUMENTS = 4


def ready(site: Installation) -> int:
    return int(str(site.sql("SELECT count(*) FROM ingestion_document WHERE status = 'ready'")[0][0]))


@pytest.mark.slow
@pytest.mark.parametrize("which", ["idle workers", "monitor", "pusher"])
def test_a_killed_process_of_the_queue_does_not_stop_it(tmp_path: Path, which: str) -> None:
    """A process that waits for work holds a lock; a successor of its own would wait for that lock for ever."""
    folder = tmp_path / "dokumenty"
    folder.mkdir()
    for n in range(DOCUMENTS):
        (folder / f"{n}.md").write_text(f"# Dokument {n}\n\nParagraf {n} mówi o urlopach.", encoding="utf-8")
    with installation(tmp_path / "var", "kt_killed_queue") as site:
        worker = site.start("manage.py", "worker")
        wait_until(lambda: len(psutil.Process(worker.pid).children(recursive=True)) == 5, seconds=60)
        (guard,) = psutil.Process(worker.pid).children()
        first, second, monitor, pusher = sorted(guard.children(), key=lambda child: child.pid)
        wait_until(lambda: monitor.num_threads() >= 2, seconds=10)
        killed = {"idle workers": [first, second], "monitor": [monitor], "pusher": [pusher]}[which]
        for process in killed:
            process.send_signal(signal.SIGKILL)
        wait_until(lambda: worker.poll() is not None, seconds=30)
        assert worker.returncode == 1, "whoever supervises it learns that it must be started again"
        family = (first, second, monitor, pusher, guard)
        wait_until(lambda: not any(process.is_running() for process in family), seconds=10)
        site.start("manage.py", "worker")
        site.manage("index", str(folder), "--collection", "proba", "--queue")
        wait_until(lambda: ready(site) == DOCUMENTS, seconds=60)
