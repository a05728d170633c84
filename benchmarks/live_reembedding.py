"""Searches while 20,000 chunks get new vectors and the worker is killed twice.

`python benchmarks/live_reembedding.py [--chunks 20000] [--idle-seconds 60]`

Runs an installation of its own (a database that is dropped in the end), a real web process with one reader who searches
all the time, and a worker. Fails where a search failed or found nothing, or where a chunk has not exactly its vector.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--idle-seconds", type=float, default=60.0)
    parser.add_argument("--rest", default="40", help="percent of its time that the filling rests")
    options = parser.parse_args()
    from tests.ingestion.embedding.models import build_model
    from tests.installation import installation
    from tests.journeys.reembedding import live_reembedding

    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        settings = {"JOB_STALE_SECONDS": "2", "REEMBEDDING_REST": options.rest}
        with installation(place / "var", "kt_live_reembedding", **settings) as site:
            load = live_reembedding(
                site,
                chunks=options.chunks,
                embedder="sentence_transformers",
                options={"model": str(build_model(place))},
                idle_seconds=options.idle_seconds,
            )
    phases = {
        phase: {
            "searches": len(times),
            "p50_ms": sorted(times)[len(times) // 2] * 1000,
            "p95_ms": load.p95(phase) * 1000,
        }
        for phase, times in load.seconds.items()
    }
    ratio = load.p95("filling") / load.p95("idle")
    print(json.dumps({"chunks": options.chunks, "phases": phases, "p95_ratio": ratio}, indent=2))
    print(
        f"{time.monotonic() - started:.0f} s; p95 while filling is {ratio:.2f} times that of idle (at most 2 is wanted)"
    )


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    import django

    django.setup()
    main()
