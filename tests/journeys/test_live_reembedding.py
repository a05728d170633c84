"""Re-embedding goes on under searches and survives killed workers. See `benchmarks/live_reembedding.py` too."""

from pathlib import Path

import pytest

from tests.installation import installation
from tests.journeys.reembedding import live_reembedding

SETTINGS = {"JOB_STALE_SECONDS": "2", "REEMBEDDING_REST": "40"}


@pytest.mark.slow
def test_searches_go_on_while_vectors_change_and_workers_are_killed(tmp_path: Path) -> None:
    with installation(tmp_path / "var", "kt_live_reembedding", **SETTINGS) as site:
        load = live_reembedding(site, chunks=160, embedder="hashing", options={"dimension": 256}, pause=0.2, kills=1)
    assert {"idle", "filling", "activated"} <= load.seconds.keys()
