"""The job of a change of chunking: measure, split slice by slice, measure again, end or turn round."""

import logging
import time
from collections.abc import Callable

from django.db import transaction
from django.db.utils import InterfaceError, OperationalError
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.errors import ActivationRefused
from ingestion.jobs.ending import ProgressWriter, fail, finish, put_back, retry_later
from ingestion.models import Job, Rechunking
from ingestion.renewal.rechunking.batch import Batch, goes_on, rechunk
from ingestion.renewal.rechunking.pending import count_documents
from ingestion.renewal.rechunking.turning import begin, conclude, locked
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")

_LONGEST_WAIT = 600.0  # seconds between attempts


def rechunk_collections(job: Job) -> None:
    """One slice of the work. What fails is tried again later; a golden set that cannot be measured is final."""
    rechunking = job.rechunking
    if rechunking is None:
        finish(job, Job.Status.CANCELLED)
    elif job.attempts > rag_settings().ingestion.max_attempts:
        _stop(job, "gave_up", _("The worker ended %(n)d times without a batch done.") % {"n": job.attempts - 1})
    else:
        try:
            _advance(job, rechunking)
        except (OperationalError, InterfaceError):
            raise  # the database went away: the heartbeat stops, and the job is taken up again
        except ActivationRefused as error:
            _stop(job, error.code, str(error))
        except KnowledgeTreeError as error:
            _wait(job, error.code, str(error))
        except KeyboardInterrupt:
            put_back(job)
            raise
        except Exception as error:
            log.exception("re-chunking failed", extra={"fields": {"rechunking": rechunking.pk}})
            words = _("Splitting failed: %(error)s. It is tried again by itself; the log has the details.")
            _wait(job, "unexpected", words % {"error": error})


def _advance(job: Job, rechunking: Rechunking) -> None:
    """Each step finds by itself what is left to do."""
    settings = rag_settings().reembedding
    write = ProgressWriter(job)

    def measured(done: int, total: int) -> None:
        write(Job.Stage.MEASURING, done, total)

    if goes_on(rechunking):
        begin(rechunking, measured)
    ended = False
    if rechunk(rechunking, settings, _written(job, rechunking, write), seconds=settings.slice_seconds):
        ended = conclude(rechunking, measured)
    _end(job, rechunking, ended=ended)


def _written(job: Job, rechunking: Rechunking, write: ProgressWriter) -> Callable[[Batch], None]:
    counts = count_documents(rechunking, rag_settings().ingestion.chunking)
    begun, first, done = time.monotonic(), counts.done, counts.done

    def written(batch: Batch) -> None:
        nonlocal done
        done = min(done + batch.done, counts.total)
        rate = (done - first) / (time.monotonic() - begun) if done > first else job.rate
        rows = Rechunking.objects.filter(pk=rechunking.pk)
        rows.update(done=done, total=counts.total, kept=counts.kept, unsplit=rechunking.unsplit, error="")
        if job.attempts or job.failures:  # something is done for good: earlier failures do not count any more
            job.attempts = job.failures = 0
            Job.objects.filter(pk=job.pk).update(attempts=0, failures=0)
        write(Job.Stage.CHUNKING, done, counts.total, rate=rate)

    Rechunking.objects.filter(pk=rechunking.pk).update(done=counts.done, total=counts.total, kept=counts.kept)
    write(Job.Stage.CHUNKING, counts.done, counts.total, rate=job.rate)
    return written


@transaction.atomic
def _end(job: Job, rechunking: Rechunking, *, ended: bool) -> None:
    """Finished, unless something is left to do. Under the lock nobody wishes for more without its being seen."""
    now = locked(rechunking)
    if now.status == Rechunking.Status.RUNNING:
        put_back(job)
    else:
        finish(job, Job.Status.SUCCEEDED if ended else Job.Status.CANCELLED)


@transaction.atomic
def _wait(job: Job, code: str, message: str) -> None:
    retry_later(job, code, message, first=rag_settings().reembedding.retry_seconds, longest=_LONGEST_WAIT)
    Rechunking.objects.filter(jobs=job).update(error=message)


@transaction.atomic
def _stop(job: Job, code: str, message: str) -> None:
    running = Rechunking.objects.filter(jobs=job, status=Rechunking.Status.RUNNING)
    running.update(error=message, status=Rechunking.Status.FAILED, finished=timezone.now())
    fail(job, code, message)
