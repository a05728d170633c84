"""What an ordinary search takes while others ask for all the work there is: `python benchmarks/hostile_requests.py`.

An installation of its own with the sample and a document of 1 MB in one line, public as for the Internet. Fifty
searches of 16 random words of 60 letters and fifty times `find` in that line arrive at once, nobody signed in;
meanwhile one reader searches on. Then as many come again and hang up after a second. Prints the times of the
reader, the statuses of all, and how long the server still worked for nobody.
"""

import argparse
import asyncio
import math
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import httpx
import psutil

ROOT = Path(__file__).parents[1]
ORDINARY = ("ile dni urlopu", "termin złożenia wniosku", "opłata za śmieci", "kto podpisuje umowę", "praca zdalna")
SENTENCE = "Umowę najmu [wzór](https://urzad.example/wzor) zawiera się na piśmie, a najemca płaci czynsz co miesiąc. "


def random_search(draw: Random) -> dict[str, str]:
    return {"query": " ".join("".join(draw.choices("aceolnszz", k=60)) for _ in range(16))}


async def timed(client: httpx.AsyncClient, path: str, parameters: dict[str, str]) -> tuple[int, float]:
    started = time.perf_counter()
    response = await client.get(path, params=parameters)
    return response.status_code, time.perf_counter() - started


async def one_reader(
    client: httpx.AsyncClient, others: "asyncio.Future[object]", least: int
) -> list[tuple[int, float]]:
    """Searches one after the other, at least `least` and until the others have their answers."""
    taken: list[tuple[int, float]] = []
    while len(taken) < least or not others.done():
        taken.append(await timed(client, "/api/search", {"query": ORDINARY[len(taken) % len(ORDINARY)]}))
        await asyncio.sleep(0.05)
    return taken


async def attack(address: str, document: str, many: int, timeout: float) -> list[tuple[int, float] | BaseException]:
    limits, draw = httpx.Limits(max_connections=None), Random(time.time())
    async with httpx.AsyncClient(base_url=address, timeout=timeout, limits=limits) as client:
        searches = [timed(client, "/api/search", random_search(draw)) for _ in range(many)]
        finds = [timed(client, document, {"find": "umowa czynsz"}) for _ in range(many)]
        return await asyncio.gather(*searches, *finds, return_exceptions=True)


async def measure(address: str, document: str, many: int, server: psutil.Process) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        nobody: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        nobody.set_result(None)
        await one_reader(client, nobody, 20)
        show("an ordinary search alone", await one_reader(client, nobody, 100))
        started = time.perf_counter()
        others = asyncio.ensure_future(attack(address, document, many, 120))
        show("beside the others", await one_reader(client, others, 1))
        answers = [answer for answer in await others if isinstance(answer, tuple)]
        print(
            f"{len(answers)} of {2 * many} others answered in {time.perf_counter() - started:.1f} s:", statuses(answers)
        )
        await attack(address, document, many, 1)
        print(f"the server worked {await seconds_until_quiet(server):.1f} s for those who had left")
        show("an ordinary search after that", await one_reader(client, nobody, 20))


async def seconds_until_quiet(server: psutil.Process) -> float:
    """Until it takes less than a tenth of a core for a second."""
    started = time.perf_counter()
    while True:
        before = sum(server.cpu_times()[:2])
        await asyncio.sleep(1)
        if sum(server.cpu_times()[:2]) - before < 0.1:
            return time.perf_counter() - started - 1


def statuses(answers: list[tuple[int, float]]) -> dict[int, int]:
    return dict(Counter(status for status, _ in answers))


def show(name: str, answers: list[tuple[int, float]]) -> None:
    taken = sorted(seconds * 1000 for _, seconds in answers)
    median, late = taken[len(taken) // 2], taken[math.ceil(len(taken) * 0.95) - 1]  # by nearest rank
    print(f"{name}: {len(taken)} searches, p50 {median:.0f} ms, p95 {late:.0f} ms, longest {taken[-1]:.0f} ms", end=" ")
    print(statuses(answers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--many", type=int, default=50)
    many: int = parser.parse_args().many
    from tests.installation import installation

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        line = place / "wiersz.md"
        line.write_text("# Umowa najmu\n\n" + SENTENCE * (1_000_000 // len(SENTENCE)), encoding="utf-8")
        with installation(place / "var", "kt_hostile_requests") as site:
            site.manage("load_sample", "--verbosity", "0")
            site.manage("index", str(line), "--collection", "wiersz")
            site.sql("UPDATE ingestion_collection SET visibility = 'public' WHERE slug = 'wiersz' RETURNING id")
            key = site.sql("SELECT id FROM ingestion_document ORDER BY id DESC LIMIT 1")[0][0]
            address = site.start_web(SEARCH_RATE="100000/min")
            time.sleep(20)  # it warms up
            server = next(
                one for one in psutil.Process().children(recursive=True) if "uvicorn" in " ".join(one.cmdline())
            )
            asyncio.run(measure(address, f"/documents/{key}/", many, server))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    import django

    django.setup()
    main()
