"""Whether this process lives (`/healthz`) and whether it can serve readers (`/readyz`), for load balancers.

Anybody may ask, so the answers name no host, no user and no error text; those stand in the log.
"""

import logging
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_q.models import Schedule

from ingestion.models import EmbeddingSpace
from knowledgetree.postgres.connections import borrowed_connections
from knowledgetree.postgres.optional import writes_fail
from knowledgetree.schedules import RECOVERY

SECONDS = 1.0
"""What a check may take."""

WORKER_SECONDS = 180
"""A living worker sends the schedule `RECOVERY` every minute; three missed ones are no accident."""

LEAST_FREE_BYTES = 50_000_000
"""With less, a document or an hour of PostgreSQL's log may be too much for the disk."""

_PERIOD = timedelta(minutes=1)
_UNREACHABLE = "The database is away or busy: look at its server and at DATABASE_URL; run: python manage.py doctor"
# Few, so that a database that hangs binds four threads and no more, however often one asks.
_probing = ThreadPoolExecutor(max_workers=4, thread_name_prefix="readiness")

log = logging.getLogger("knowledgetree.health")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """`required`: no question can be answered without it. `remedy` where it is not `well`."""

    name: str
    well: bool
    required: bool
    detail: str = ""
    remedy: str = ""


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """The process answers. It looks at nothing else: a database that is away is no reason to restart us."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """503 where a required check fails; `degraded`, with 200, where only others do: readers still get answers."""
    checks = readiness()
    if any(check.required and not check.well for check in checks):
        return _told("unready", checks, status=503)
    return _told("ready" if all(check.well for check in checks) else "degraded", checks, status=200)


def _told(word: str, checks: list[Check], *, status: int) -> JsonResponse:
    return JsonResponse({"status": word, "checks": [asdict(check) for check in checks]}, status=status)


def readiness() -> list[Check]:
    """Every check, at most SECONDS each, side by side; what is late or fails is not well."""
    looks = (database, migrations, embedding_space, worker, storage)
    begun = [(look, _probing.submit(_alone, look)) for look in looks]
    return [bounded(look, future) for look, future in begun]


def bounded(look: Callable[[], Check], future: "Future[Check]", *, seconds: float = SECONDS) -> Check:
    """What `look` found; a check that is not well where it took more than `seconds` or failed."""
    required = look in (database, migrations)
    try:
        return future.result(timeout=seconds)
    except Late:
        future.cancel()
        log.warning("readiness check is late", extra={"fields": {"check": look.__name__}})
        detail = f"no answer within {seconds:g} s"
    except Exception as error:
        log.warning("readiness check failed", extra={"fields": {"check": look.__name__, "error": str(error)}})
        detail = type(error).__name__
    return Check(name=look.__name__, well=False, required=required, detail=detail, remedy=_UNREACHABLE)


@borrowed_connections()
def _alone(look: Callable[[], Check]) -> Check:
    """In a thread of the pool: its connection must not stay open between probes."""
    return look()


def database() -> Check:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Check(name="database", well=True, required=True)


def migrations() -> Check:
    waiting = waiting_migrations()
    return Check(
        name="migrations",
        well=not waiting,
        required=True,
        detail=f"{waiting} not applied" if waiting else "",
        remedy="Run: python manage.py migrate" if waiting else "",
    )


def waiting_migrations() -> int:
    return len(_migrations_of_this_release() - MigrationRecorder(connection).applied_migrations().keys())


@cache
def _migrations_of_this_release() -> frozenset[tuple[str, str]]:
    """By app and name. Reading them from the disk takes a while, and they do not change while the process runs."""
    return frozenset(MigrationLoader(None).disk_migrations)


def embedding_space() -> Check:
    space = EmbeddingSpace.objects.filter(status=EmbeddingSpace.Status.ACTIVE).exists()
    return Check(
        name="embedding_space",
        well=space,
        required=False,
        detail="" if space else "there is none; documents are found by their words alone",
        remedy="" if space else "It comes with the first document; run: python manage.py doctor",
    )


def storage() -> Check:
    """Whether what is new can be kept: on a full disk readers get answers, and nothing else works."""
    full = [name for name, folder in _written_folders().items() if shutil.disk_usage(folder).free < LEAST_FREE_BYTES]
    if writes_fail():
        full.append("database")
    return Check(
        name="storage",
        well=not full,
        required=False,
        detail=f"no room: {', '.join(full)}" if full else "",
        remedy="Make room on the disk; documents wait, answers are given and not kept" if full else "",
    )


def _written_folders() -> dict[str, Path]:
    """By what lies there; those that are not there yet are left out."""
    folders = {"files": Path(settings.MEDIA_ROOT), "var": Path(settings.VAR_DIR)}
    if directory := settings.DATABASES["default"].get("EMBEDDED_DIRECTORY"):
        folders["database"] = Path(directory)
    return {name: folder for name, folder in folders.items() if folder.is_dir()}


def worker() -> Check:
    age = worker_age()
    well = age is not None and age <= WORKER_SECONDS
    return Check(
        name="worker",
        well=well,
        required=False,
        detail="never seen" if age is None else f"last sign of life {age:.0f} s ago",
        remedy="" if well else "Documents wait to be indexed; run: python manage.py worker",
    )


def worker_age() -> float | None:
    """Seconds, to the minute, since any worker last sent the schedule that comes every minute; None: it is not there.

    The queue's own statistics are kept in the memory of the worker's process and tell others nothing.
    """
    due = Schedule.objects.filter(name=RECOVERY.name).values_list("next_run", flat=True).first()
    return None if due is None else max(0.0, (timezone.now() - (due - _PERIOD)).total_seconds())
