"""What an installation takes while nobody does anything: `python benchmarks/idle_memory.py`.

`manage.py quickstart` in a folder of its own, with the sample read and nothing left to do; `--furnished` stops it then
and starts it again. After some time the proportional set sizes (PSS, in which memory that several processes share is
counted once) of all its processes and of the embedded PostgreSQL's are added up from /proc/*/smaps_rollup: Linux alone.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg

ROOT = Path(__file__).parents[1]
BAR = 600
"""Megabytes, in all."""

_PSS = re.compile(r"^Pss:\s+(\d+)", re.MULTILINE)
_WAITING = "SELECT count(*) FROM ingestion_job WHERE status IN ('queued', 'running')"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--furnished", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "var")
        for last in [False, True][not arguments.furnished :]:
            process = start(folder)
            try:
                wait_until_idle(folder, process)
                if last:
                    time.sleep(arguments.seconds)
                    tell(process.pid, folder)
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(timeout=120)


def start(folder: Path) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "VAR_DIR": str(folder), "DATABASE_URL": "", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "manage.py", "quickstart", "--port", "18690"]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def wait_until_idle(folder: Path, process: "subprocess.Popen[bytes]") -> None:
    """Until it says where it is, and no job is left."""
    lock = folder / "quickstart.lock"
    while not lock.exists() or len(lock.read_text().split()) < 2:
        if process.poll() is not None:
            sys.exit("quickstart ended")
        time.sleep(0.5)
    while waiting(folder):
        time.sleep(0.5)


def waiting(folder: Path) -> int:
    with psycopg.connect(f"postgresql://postgres@/postgres?host={folder / 'postgres'}") as connection:
        row = connection.execute(_WAITING).fetchone()
        return int(row[0]) if row else 0


def tell(quickstart: int, folder: Path) -> None:
    postmaster = int((folder / "postgres/postmaster.pid").read_text().split()[0])
    taken: Counter[str] = Counter()
    for root in (quickstart, postmaster):
        for one in (psutil.Process(root), *psutil.Process(root).children(recursive=True)):
            with suppress(OSError, psutil.NoSuchProcess):  # it has ended meanwhile
                if found := _PSS.search(Path(f"/proc/{one.pid}/smaps_rollup").read_text()):
                    taken[part_of(" ".join(one.cmdline()))] += int(found[1])
    for part, kilobytes in taken.most_common():
        print(f"{part:<12} {kilobytes / 1024:6.0f} MB")
    print(f"{'in all':<12} {taken.total() / 1024:6.0f} MB   (bar: {BAR})")


def part_of(command: str) -> str:
    parts = {"uvicorn": "web", "worker": "worker", "supervision": "quickstart", "quickstart": "quickstart"}
    return next((part for word, part in parts.items() if word in command), "PostgreSQL")


if __name__ == "__main__":
    main()
