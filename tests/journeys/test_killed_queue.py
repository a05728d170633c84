"""A worker that starts, and whose processes are killed one after the other: it works all the same."""

import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from tests.installation import Installation, installation, wait_until

PLANNED_TOO_LATE = (
    "SELECT count(*) FROM django_q_schedule WHERE schedule_type IN ('I', 'H', 'D', 'W') "
    "AND next_run > now() + interval '8 days'"
)


def ready(site: Installation) -> int:
    return int(str(site.sql("SELECT count(*) FROM ingestion_document WHERE status = 'ready'")[0][0]))


def family_of(worker: "subprocess.Popen[bytes]") -> list[psutil.Process]:
    """Two workers, the monitor, the pusher and the guard that watches them, as soon as all of them wait for work."""
    wait_until(lambda: len(psutil.Process(worker.pid).children(recursive=True)) == 5)
    (guard,) = psutil.Process(worker.pid).children()
    first, second, monitor, pusher = sorted(guard.children(), key=lambda child: child.pid)
    wait_until(lambda: monitor.num_threads() >= 2)
    return [first, second, monitor, pusher, guard]


def read_one_more(site: Installation, folder: Path) -> None:
    before = ready(site)
    (folder / f"{before}.md").write_text(f"# Dokument {before}\n\nParagraf {before} o urlopach.", encoding="utf-8")
    site.manage("index", str(folder), "--collection", "proba", "--queue")
    wait_until(lambda: ready(site) == before + 1)


def look_at_its_start(site: Installation) -> None:
    """It looks at the clock. Its forks close their copies of connections, which ends those that it had open before."""
    wait_until(lambda: site.sql(PLANNED_TOO_LATE) == [(0,)])
    assert "does not answer" not in (site.folder / "log.txt").read_text()


@pytest.mark.slow
def test_a_killed_process_of_the_queue_does_not_stop_it(tmp_path: Path) -> None:
    """A process that waits for work holds a lock; a successor of its own would wait for that lock for ever."""
    folder = tmp_path / "dokumenty"
    folder.mkdir()
    with installation(tmp_path / "var", "kt_killed_queue") as site:
        assert site.sql("UPDATE django_q_schedule SET next_run = now() + interval '30 days' RETURNING id")
        worker = site.start("manage.py", "worker")
        family = family_of(worker)
        look_at_its_start(site)
        for victims in (slice(0, 2), slice(2, 3), slice(3, 4)):  # the workers, then the monitor, then the pusher
            for process in family[victims]:
                process.send_signal(signal.SIGKILL)
            wait_until(lambda died=worker: died.poll() is not None)
            assert worker.returncode == 1, "whoever supervises it learns that it must be started again"
            wait_until(lambda died=family: not any(process.is_running() for process in died))
            worker = site.start("manage.py", "worker")
            family = family_of(worker)
            read_one_more(site, folder)
