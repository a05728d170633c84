"""A worker that starts has a database that answers, and what it says of it is true."""

from pathlib import Path

import pytest

from tests.installation import installation, wait_until

PLANNED_TOO_LATE = (
    "SELECT count(*) FROM django_q_schedule WHERE schedule_type IN ('I', 'H', 'D', 'W') "
    "AND next_run > now() + interval '8 days'"
)


@pytest.mark.slow
def test_a_worker_looks_at_the_clock_as_it_starts_and_misses_no_database(tmp_path: Path) -> None:
    """Its forks close their copies of the connections that it had open before them, which ends these at the server."""
    with installation(tmp_path / "var", "kt_worker_start") as site:
        assert site.sql("UPDATE django_q_schedule SET next_run = now() + interval '30 days' RETURNING id")
        site.start("manage.py", "worker")
        wait_until(lambda: site.sql(PLANNED_TOO_LATE) == [(0,)])
        assert "does not answer" not in (site.folder / "log.txt").read_text()
