"""What a whole search through the API costs processors: the web processes, PostgreSQL and the readers' program, for one
checkout or for several at the same time, and whether all of them answer the same but for times.

    VAR_DIR=/tmp/benchmark python benchmarks/whole_search.py --collection loadtest --questions …/queries.jsonl … \
        [--checkout ../before --checkout .] [--processes 2] [--readers 8] [--rounds 2]

Readers never pause. Each checkout gets web processes and readers of its own, all on the database of the settings, and
answers each question once before anything is counted, so that no dictionary is read meanwhile; then each question has
a mark at its end that it has not had yet, so that no analysis is kept. Several checkouts work side by side, so that a
busy machine is as busy for each: read the milliseconds of processors then, and searches a second of one alone.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from lexical_speed import read_questions  # noqa: E402

from rag.management.commands import _web_process  # noqa: E402
from rag.management.commands._web_process import _free_port, _open_superuser_session, _wait_until_open  # noqa: E402

_web_process._SECONDS_TO_START = 300  # several start at once, perhaps on a busy machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Seconds of processors."""

    web: float
    database: float
    readers: float
    wall: float

    def since(self, before: "Used") -> "Used":
        parts = {name: getattr(self, name) - getattr(before, name) for name in ("web", "database", "readers", "wall")}
        return Used(**parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--checkout", type=Path, action="append")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    questions = spread(read_questions(arguments.questions), arguments.limit)
    checkouts = [path.resolve() for path in arguments.checkout or [Path(__file__).parents[1]]]
    with ExitStack() as stack:
        session = stack.enter_context(_open_superuser_session())
        servers = {
            checkout: [stack.enter_context(web_process(checkout)) for _ in range(arguments.processes)]
            for checkout in checkouts
        }
        paths = [address(question, arguments.collection) for question in questions]
        for _pid, port in (one for own in servers.values() for one in own):
            ask_all(paths, [port], session, readers=2)
        spent: dict[Path, list[Used]] = {checkout: [] for checkout in checkouts}
        answers: dict[Path, list[Any]] = {checkout: [] for checkout in checkouts}
        for number in range(1, arguments.rounds + 1):
            paths = [address(question + " ?" * number, arguments.collection) for question in questions]
            with ThreadPoolExecutor(max_workers=len(checkouts)) as beside:
                asked = {
                    checkout: beside.submit(count, paths, checkout, own, session, arguments.readers)
                    for checkout, own in servers.items()
                }
            for checkout, counted in asked.items():
                found, one = counted.result()
                spent[checkout].append(replace(one, readers=one.readers / len(checkouts)))
                answers[checkout] += map(without_times, found)
                print(line(checkout, spent[checkout][-1:], len(questions)), flush=True)
    for checkout in checkouts:
        print("together", line(checkout, spent[checkout], len(questions)))
        same = sum(one == other for one, other in zip(answers[checkouts[0]], answers[checkout], strict=True))
        print(f"{same} of {len(answers[checkout])} answers are the same as those of {checkouts[0]}, times aside")


def count(
    paths: Sequence[str], checkout: Path, servers: Sequence[tuple[int, int]], session: str, readers: int
) -> tuple[list[bytes], Used]:
    """The answers of a checkout, and what they took."""
    pids, ports = zip(*servers, strict=True)
    before = used(pids, str(checkout))
    found = ask_all(paths, ports, session, readers=readers)
    return found, used(pids, str(checkout)).since(before)


def spread(questions: Sequence[str], limit: int) -> list[str]:
    """Some of every file."""
    step = max(1, len(questions) // limit)
    return list(questions[::step][:limit])


def address(question: str, collection: str) -> str:
    return f"/api/search?{urlencode({'query': question, 'collections': collection})}"


@contextmanager
def web_process(checkout: Path) -> Iterator[tuple[int, int]]:
    """Its number and its port."""
    port = _free_port()
    command = [sys.executable, "-m", "uvicorn", "knowledgetree.asgi:application", "--lifespan", "off"]
    own = {"SEARCH_RATE": "1000000/min", "ALLOWED_HOSTS": "127.0.0.1", "PGAPPNAME": name_of(checkout)}
    process = subprocess.Popen(
        [*command, "--log-level", "warning", "--port", str(port)], cwd=checkout, env=os.environ | own
    )
    try:
        _wait_until_open(port, process)
        yield process.pid, port
    finally:
        process.terminate()
        process.wait(timeout=30)


def ask_all(paths: Sequence[str], ports: Sequence[int], session: str, *, readers: int) -> list[bytes]:
    """The answers, in the order of the questions."""
    answers = [b""] * len(paths)
    waiting = iter(enumerate(paths))
    lock = threading.Lock()

    def read(port: int) -> None:
        server = HTTPConnection("127.0.0.1", port, timeout=60)
        while True:
            with lock:
                number, path = next(waiting, (None, ""))
            if number is None:
                return
            server.request("GET", path, headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"})
            with server.getresponse() as response:
                answers[number] = response.read()

    threads = [
        threading.Thread(target=read, args=(port,)) for _, port in zip(range(readers), cycle(ports), strict=False)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def without_times(answer: bytes) -> dict[str, Any]:
    found = json.loads(answer)
    if not found.pop("latency", None):
        raise SystemExit(f"no search was made: {answer[:500]!r}")
    return dict(found)


def used(web: Sequence[int], checkout: str) -> Used:
    own = resource.getrusage(resource.RUSAGE_SELF)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE application_name = %s", [name_of(checkout)])
        backends = [row[0] for row in cursor.fetchall()]
    connection.close()  # of this thread
    return Used(
        web=sum(map(seconds_of, web)),
        database=sum(map(seconds_of, backends)),
        readers=own.ru_utime + own.ru_stime,
        wall=time.perf_counter(),
    )


def name_of(checkout: Path | str) -> str:
    """By which PostgreSQL knows its connections."""
    return str(checkout)[-60:]


def seconds_of(pid: int) -> float:
    """Of all threads, to a nanosecond."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def line(checkout: Path, spent: Sequence[Used], searches: int) -> str:
    """The mean of all."""
    each = {
        name: 1000 * statistics.mean(getattr(one, name) / searches for one in spent)
        for name in ("web", "database", "readers")
    }
    total = sum(each.values())
    parts = ", ".join(f"{name} {milliseconds:.1f}" for name, milliseconds in each.items())
    rate = searches / statistics.mean(one.wall for one in spent)
    return (
        f"{checkout}: {total:.1f} ms of processors a search ({parts}); {rate:.1f} searches a second, "
        f"{2000 / total:.0f} of two processors"
    )


if __name__ == "__main__":
    main()
