"""What has to be as it should before an upgrade begins."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from ingestion.models import Job
from knowledgetree.database import is_pooled
from knowledgetree.readiness import Check, storage, worker_age

_STOPPED_SECONDS = 90
"""A worker that runs was seen within the last minute."""


def checks_before(*, worker_matters: bool) -> Iterator[Check]:
    """Each `well` or not, of a database that answers; none of them changes anything."""
    if is_pooled(connection.settings_dict):
        yield Check(
            name="pooler",
            subject="PgBouncer",
            well=False,
            detail=_("this DATABASE_URL leads through PgBouncer in its transaction mode"),
            remedy=_("Give the upgrade a DATABASE_URL that leads straight to PostgreSQL."),
        )
    yield storage()
    yield _room()
    if worker_matters:
        yield _worker()


def _room() -> Check:
    """For a dump is never bigger than the database it was made of, and lies in TMPDIR before it is put away."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        needed = int(cursor.fetchone()[0])
    folders = {Path(tempfile.gettempdir()), *_backups_folder()}
    tight = sorted(str(folder) for folder in folders if shutil.disk_usage(folder).free < needed)
    free = min(shutil.disk_usage(folder).free for folder in folders)
    told = {"needed": needed / 1e9, "free": free / 1e9}
    return Check(
        name="room",
        subject=_("Room for a backup"),
        well=not tight,
        detail=_("free: %(free).1f GB, the database takes %(needed).1f GB") % told,
        remedy=_("Make room in: %(folders)s") % {"folders": ", ".join(tight)} if tight else "",
    )


def _backups_folder() -> Iterator[Path]:
    """The nearest folder that is there already; of a bucket none."""
    if settings.BACKUP_LOCATION.startswith("s3:"):
        return
    wanted = Path(settings.BACKUP_LOCATION or settings.VAR_DIR).absolute()
    yield next(path for path in (wanted, *wanted.parents) if path.exists())


def _worker() -> Check:
    """An old worker on new tables would fail at what it does, so it is stopped first; its jobs are taken up again."""
    age = worker_age()
    runs = age is not None and age <= _STOPPED_SECONDS
    under_way = Job.objects.filter(status=Job.Status.RUNNING).count()
    stopped = _("stopped; jobs that it will take up again: %(n)d") % {"n": under_way}
    return Check(
        name="worker",
        subject=_("Worker"),
        well=not runs,
        detail=_("runs, or did a moment ago; jobs under way: %(n)d") % {"n": under_way} if runs else stopped,
        remedy=_("Stop it, and run this again a minute and a half later, or at once with --worker-stopped.")
        if runs
        else "",
    )
