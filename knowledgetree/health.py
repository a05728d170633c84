"""Whether this process lives (`/healthz`) and whether it can serve readers (`/readyz`), for load balancers.

Anybody may ask, so the answers name no host, no user and no error text; those stand in the log.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextvars import copy_context
from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from knowledgetree.postgres.connections import borrowed_connections
from knowledgetree.readiness import Check, database, embedding_space, migrations, storage, worker
from knowledgetree.redis_server.reachability import redis_answers
from knowledgetree.storage.reachability import bucket_answers

SECONDS = 1.0
"""What a check may take."""

_REQUIRED = {"database", "migrations"}
"""No question can be answered without these."""

_NO_DATABASE = {bucket_answers.__name__, redis_answers.__name__}

# Few, so that a database that hangs binds four threads and no more, however often one asks.
_probing = ThreadPoolExecutor(max_workers=4, thread_name_prefix="readiness")

log = logging.getLogger("knowledgetree.health")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """The process answers. It looks at nothing else: a database that is away is no reason to restart us."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """503 where a required check fails; `degraded`, with 200, where only others do: readers still get answers."""
    told = [_told(check) for check in readiness()]
    if any(check["required"] and not check["well"] for check in told):
        return JsonResponse({"status": "unready", "checks": told}, status=503)
    return JsonResponse({"status": "ready" if all(check["well"] for check in told) else "degraded", "checks": told})


def _told(check: Check) -> dict[str, Any]:
    well, remedy = check.well is True, check.remedy or _("Look closer: knowledgetree doctor")
    return {
        "name": check.name,
        "well": well,
        "required": check.name in _REQUIRED,
        "detail": check.detail if check.public else "",
        "remedy": "" if well else remedy,
    }


def readiness() -> list[Check]:
    """Every check, at most SECONDS each, side by side; what is late or fails is not well."""
    looks = [database, migrations, embedding_space, worker, storage]
    looks += [look for look, there in ((bucket_answers, settings.S3), (redis_answers, settings.REDIS_URL)) if there]
    begun = [(look, _probing.submit(copy_context().run, _alone, look)) for look in looks]
    return [bounded(look, future) for look, future in begun]


def bounded(look: Callable[[], Check], future: "Future[Check]", *, seconds: float = SECONDS) -> Check:
    """What `look` found; a check that is not well where it took more than `seconds` or failed."""
    try:
        check = future.result(timeout=seconds)
    except Late:
        future.cancel()
        log.warning("readiness check is late", extra={"fields": {"check": look.__name__}})
        return _failed(look.__name__, _("no answer within %(n)g s") % {"n": seconds})
    except Exception as error:
        log.warning("readiness check failed", extra={"fields": {"check": look.__name__, "error": str(error)}})
        return _failed(look.__name__, type(error).__name__)
    if check.well is False and check.name in _REQUIRED:
        log.warning("readiness check failed", extra={"fields": {"check": check.name, "error": check.detail}})
    return check


def _failed(name: str, detail: str) -> Check:
    away = _("The database is away or busy: look at its server and at DATABASE_URL; run: knowledgetree doctor")
    remedy = "" if name in _NO_DATABASE else away
    return Check(name=name, subject=name, well=False, detail=detail, remedy=remedy, public=True)


@borrowed_connections()
def _alone(look: Callable[[], Check]) -> Check:
    """In a thread of the pool: its connection must not stay open between probes."""
    return look()
