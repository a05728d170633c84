"""The clock was set back: what was put into its future would wait for hours. Looked for by the worker every minute."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django_q.models import Schedule

from ingestion.jobs.queue import longest_heartbeat
from ingestion.models import Job

_PERIODS = {
    Schedule.HOURLY: timedelta(hours=1),
    Schedule.DAILY: timedelta(days=1),
    Schedule.WEEKLY: timedelta(weeks=1),
}
_SLACK = timedelta(minutes=1)


def mend_times() -> int:
    """Let run now what is planned for later than it can be, and let go of jobs alive in the future; how many."""
    now = timezone.now()
    mended = Job.objects.filter(status=Job.Status.RUNNING, heartbeat__gt=longest_heartbeat()).update(heartbeat=None)
    for schedule in Schedule.objects.filter(_has_period(), next_run__gt=now):
        if schedule.next_run > now + _period(schedule) + _SLACK:
            mended += Schedule.objects.filter(pk=schedule.pk, next_run=schedule.next_run).update(next_run=now)
    return mended


def _has_period() -> Q:
    return Q(schedule_type=Schedule.MINUTES) | Q(schedule_type__in=_PERIODS)


def _period(schedule: Schedule) -> timedelta:
    if schedule.schedule_type == Schedule.MINUTES:
        return timedelta(minutes=schedule.minutes or 1)
    return _PERIODS[schedule.schedule_type]
