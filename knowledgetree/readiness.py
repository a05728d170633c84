"""What the installation cannot do without, looked at in one place: `doctor` and `/readyz` show the same checks."""

import shutil
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _
from django_q.models import OrmQ, Schedule

from ingestion.models import EmbeddingSpace, Job
from knowledgetree.postgres.optional import writes_fail
from knowledgetree.postgres.problems import DatabaseProblem, problem_of
from knowledgetree.schedules import RECOVERY

WORKER_SECONDS = 180
"""A living worker sends the schedule `RECOVERY` every minute; three missed ones are no accident."""

LEAST_FREE_BYTES = 50_000_000
"""With less, a document or an hour of PostgreSQL's log may be too much for the disk."""

_PERIOD = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was looked at: `name` for programs, `subject` for people, `remedy` where something is to be done.

    `well` None: neither good nor bad. `public`: anybody may read `detail`; others name hosts and folders.
    `pressing` False: nothing waits for the remedy yet.
    """

    name: str
    subject: str
    well: bool | None
    detail: str = ""
    remedy: str = ""
    public: bool = False
    pressing: bool = True


def database() -> Check:
    subject = _("Database")
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('server_version'), "
                "(SELECT default_version FROM pg_available_extensions WHERE name = 'vector')"
            )
            version, vector = cursor.fetchone()
    except (DatabaseError, ImproperlyConfigured) as error:
        problem = problem_of(error) or DatabaseProblem(detail=str(error), remedy="")
        return Check(name="database", subject=subject, well=False, detail=problem.detail, remedy=str(problem.remedy))
    embedded = "EMBEDDED_DIRECTORY" in connection.settings_dict
    where = _("embedded") if embedded else connection.settings_dict["HOST"]
    detail = f"PostgreSQL {version}, pgvector {vector} ({where})"
    return Check(name="database", subject=subject, well=True, detail=detail)


def migrations() -> Check:
    waiting = len(_migrations_of_this_release() - MigrationRecorder(connection).applied_migrations().keys())
    return Check(
        name="migrations",
        subject=_("Migrations"),
        well=not waiting,
        detail=_("not applied: %(n)d") % {"n": waiting} if waiting else _("applied"),
        remedy=_("Run: knowledgetree migrate") if waiting else "",
        public=True,
    )


@cache
def _migrations_of_this_release() -> frozenset[tuple[str, str]]:
    """By app and name. Reading them from the disk takes a while, and they do not change while the process runs."""
    return frozenset(MigrationLoader(None).disk_migrations)


def embedding_space() -> Check:
    """Whether there is one; without it documents are found by their words alone."""
    there = EmbeddingSpace.objects.filter(status=EmbeddingSpace.Status.ACTIVE).exists()
    return Check(
        name="embedding_space",
        subject=_("Vectors"),
        well=there or None,
        detail="" if there else _("the space comes with the first document"),
        remedy="" if there else _("Add a document; what is missing says: knowledgetree doctor"),
        public=True,
        pressing=False,
    )


def worker() -> Check:
    """A worker that is away is bad only where something waits for it."""
    age = worker_age()
    runs = age is not None and age <= WORKER_SECONDS
    free = OrmQ.objects.filter(lock__lte=timezone.now())  # a locked ticket is being worked on
    waiting = max(free.count(), Job.objects.filter(status=Job.Status.QUEUED).count())
    if runs:
        detail = _("runs; in the queue: %(n)d")
    else:
        detail = _("jobs that wait in the queue: %(n)d") if waiting else _("not seen from here; the queue is empty")
    falling = _("If the number does not fall, run: knowledgetree worker")
    remedy = falling if waiting else _("Run: knowledgetree worker")
    return Check(
        name="worker",
        subject=_("Worker"),
        well=True if runs else False if waiting else None,
        detail=detail % {"n": waiting},
        remedy="" if runs else remedy,
        public=True,
        pressing=waiting > 0,
    )


def worker_age() -> float | None:
    """Seconds, to the minute, since any worker last sent the schedule that comes every minute; None: it is not there.

    The queue's own statistics are kept in the memory of the worker's process and tell others nothing.
    """
    due = Schedule.objects.filter(name=RECOVERY.name).values_list("next_run", flat=True).first()
    return None if due is None else max(0.0, (timezone.now() - (due - _PERIOD)).total_seconds())


def storage() -> Check:
    """Whether what is new can be kept: on a full disk readers get answers, and nothing else works."""
    full = [name for name, folder in _written_folders().items() if shutil.disk_usage(folder).free < LEAST_FREE_BYTES]
    if writes_fail():
        full.append("database")
    return Check(
        name="storage",
        subject=_("Disk space"),
        well=not full,
        detail=_("no room: %(folders)s") % {"folders": ", ".join(full)} if full else "",
        remedy=_("Make room on the disk: documents wait, and answers are given but not kept.") if full else "",
        public=True,
    )


def _written_folders() -> dict[str, Path]:
    """By what lies there; those that are not there yet are left out."""
    folders = {"files": Path(settings.MEDIA_ROOT), "var": Path(settings.VAR_DIR)}
    if directory := settings.DATABASES["default"].get("EMBEDDED_DIRECTORY"):
        folders["database"] = Path(directory)
    return {name: folder for name, folder in folders.items() if folder.is_dir()}
