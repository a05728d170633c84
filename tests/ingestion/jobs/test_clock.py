"""The clock is set an hour forth or back while jobs run and schedules wait."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import Schedule

from ingestion.jobs import recover_jobs, run_job
from ingestion.jobs.clock import mend_times
from ingestion.models import Collection, Document, Job
from ingestion.services.documents import add_document

HOUR = timedelta(hours=1)


@pytest.fixture
def running(public: Collection) -> Job:
    """A job whose worker was killed a moment ago."""
    document = add_document(collection=public, name="a.txt", content=b"Urlop trwa 26 dni.", enqueue=False)
    job = document.jobs.get()
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(status=Job.Status.RUNNING, started=now, heartbeat=now, attempts=1)
    return job


def test_a_job_that_was_killed_before_the_clock_went_back_is_taken_up_again(running: Job) -> None:
    """Its last sign of life lies an hour in the future."""
    Job.objects.update(heartbeat=timezone.now() + HOUR, started=timezone.now() + HOUR)
    assert mend_times() == 1
    run_job(str(running.pk))
    running.refresh_from_db()
    assert running.status == Job.Status.SUCCEEDED
    assert Document.objects.get().status == Document.Status.READY


def test_a_job_that_lives_is_left_alone(running: Job) -> None:
    Job.objects.update(heartbeat=timezone.now() + timedelta(seconds=20))  # of a host whose clock is ahead
    assert mend_times() == 0
    run_job(str(running.pk))
    running.refresh_from_db()
    assert running.status == Job.Status.RUNNING


def test_a_job_taken_for_dead_after_the_clock_went_forth_is_done_once(running: Job) -> None:
    Job.objects.update(heartbeat=timezone.now() - HOUR, started=timezone.now() - HOUR)
    recover_jobs()
    run_job(str(running.pk))
    run_job(str(running.pk))
    running.refresh_from_db()
    assert (running.status, running.attempts) == (Job.Status.SUCCEEDED, 2)


@pytest.mark.parametrize(
    ("kind", "minutes", "period"), [("I", 10, 10), ("I", 1, 1), ("H", None, 60), ("D", None, 1440)]
)
def test_a_schedule_runs_at_once_where_it_would_wait_for_the_clock(
    db: None, kind: str, minutes: int | None, period: int
) -> None:
    now = timezone.now()
    Schedule.objects.all().delete()
    late = Schedule.objects.create(
        func="print", schedule_type=kind, minutes=minutes, next_run=now + timedelta(minutes=period) + HOUR
    )
    due = Schedule.objects.create(
        func="print", schedule_type=kind, minutes=minutes, next_run=now + timedelta(minutes=period)
    )
    cron = Schedule.objects.create(func="print", schedule_type="C", cron="0 3 * * 1", next_run=now + 5 * 24 * HOUR)
    assert mend_times() == 1
    for schedule in (late, due, cron):
        planned = schedule.next_run
        schedule.refresh_from_db()
        assert (schedule.next_run == planned) is (schedule is not late)
    assert Schedule.objects.get(pk=late.pk).next_run <= timezone.now()
