"""The embedded PostgreSQL starts and stops on demand."""

from pathlib import Path

import psycopg
import pytest

from knowledgetree.database import embedded_runs, reach_embedded, stop_embedded


@pytest.mark.slow
def test_the_embedded_server_stops_once_nobody_uses_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "xx_XX.UTF-8")  # it begins also where the machine lacks the locale
    directory = tmp_path / "postgres"
    with psycopg.connect(reach_embedded(directory)):
        assert not stop_embedded(directory, patience=0.3)
        assert embedded_runs(directory)
    assert stop_embedded(directory)
    assert not embedded_runs(directory)
    with psycopg.connect(reach_embedded(directory)) as connection:  # and starts again
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert stop_embedded(directory)
