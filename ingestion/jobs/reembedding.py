"""The job that fills a space and, where that is wished, activates it: slice by slice, so that others get their turn."""

import logging
import time

from django.db import transaction
from django.db.utils import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from ingestion.errors import ActivationRefused
from ingestion.jobs.ending import ProgressWriter, fail, finish, put_back, retry_later
from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.reembedding.activation import pass_gate, switch
from ingestion.renewal.reembedding.filling import fill, wants_vectors
from ingestion.renewal.reembedding.indexing import build_index
from ingestion.types import Progress
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")

_LONGEST_WAIT = 600.0  # seconds between attempts


def reembed(job: Job) -> None:
    """One slice of the work. What fails is tried again later; only the golden set's verdict is final."""
    space = job.space
    if space is None:
        finish(job, Job.Status.CANCELLED)
    elif job.attempts > rag_settings().ingestion.max_attempts:
        _stop(job, space, "gave_up", _("The worker ended %(n)d times without a batch done.") % {"n": job.attempts - 1})
    else:
        try:
            _advance(job, space)
        except (OperationalError, InterfaceError):
            raise  # the database went away: the heartbeat stops, and the job is taken up again
        except ActivationRefused as error:
            _stop(job, space, error.code, str(error))
        except KnowledgeTreeError as error:
            _wait(job, space, error.code, str(error))
        except KeyboardInterrupt:
            put_back(job)
            raise
        except Exception as error:
            log.exception("re-embedding failed", extra={"fields": {"space": space.name}})
            words = _("The embedder failed: %(error)s. It is tried again by itself; the log has the details.")
            _wait(job, space, "unexpected", words % {"error": error})


def _advance(job: Job, space: EmbeddingSpace) -> None:
    """Fill, index, measure, switch: each step finds by itself what is left to do."""
    settings = rag_settings().reembedding
    write = ProgressWriter(job)
    if not fill(space, settings, _filled(job, space, write), seconds=settings.slice_seconds):
        _end(job, space)
        return
    write(Job.Stage.INDEXING, 0, 0)
    if not build_index(space, memory_mb=settings.index_memory_mb):
        put_back(job, seconds=settings.retry_seconds)
        return
    _got_on(job, space)
    space.refresh_from_db()
    if space.activate_when_full and not space.paused:
        pass_gate(space, lambda done, total: write(Job.Stage.MEASURING, done, total))
        switch(space)
    _end(job, space, full=True)


def _filled(job: Job, space: EmbeddingSpace, write: ProgressWriter) -> Progress:
    started, first = time.monotonic(), -1

    def filled(done: int, total: int) -> None:
        nonlocal first
        first = done if first < 0 else first
        rate = (done - first) / (time.monotonic() - started) if done > first else job.rate
        write(Job.Stage.EMBEDDING, done, total, rate=rate)
        _got_on(job, space)

    return filled


@transaction.atomic
def _end(job: Job, space: EmbeddingSpace, *, full: bool = False) -> None:
    """Finished, unless something is left to do. Under the lock nobody wishes for more without its being seen."""
    now = EmbeddingSpace.objects.select_for_update(no_key=True).get(pk=space.pk)
    if not wants_vectors(now):
        finish(job, Job.Status.CANCELLED)
    elif not full or now.activate_when_full:
        put_back(job)
    else:
        finish(job, Job.Status.SUCCEEDED)


def _got_on(job: Job, space: EmbeddingSpace) -> None:
    """Something is done for good: earlier failures do not count any more."""
    if job.attempts or job.failures:
        job.attempts = job.failures = 0
        Job.objects.filter(pk=job.pk).update(attempts=0, failures=0)
    if space.error:
        space.error = ""
        EmbeddingSpace.objects.filter(pk=space.pk).update(error="")


@transaction.atomic
def _wait(job: Job, space: EmbeddingSpace, code: str, message: str) -> None:
    retry_later(job, code, message, first=rag_settings().reembedding.retry_seconds, longest=_LONGEST_WAIT)
    EmbeddingSpace.objects.filter(pk=space.pk).update(error=message)


@transaction.atomic
def _stop(job: Job, space: EmbeddingSpace, code: str, message: str) -> None:
    EmbeddingSpace.objects.filter(pk=space.pk).update(error=message, activate_when_full=False)
    fail(job, code, message)
