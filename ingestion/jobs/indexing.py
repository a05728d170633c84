"""The job that indexes a document."""

import logging

from django.db import transaction
from django.db.utils import InterfaceError, OperationalError
from django.utils.translation import gettext as _
from django_q.exceptions import TimeoutException

from ingestion.jobs.ending import ProgressWriter, drop_broken_connection, fail, finish, retry_later
from ingestion.models import Document, Job
from ingestion.pipeline import ingest
from ingestion.renewal.rechunking.batch import catch_up
from knowledgetree.conf import IngestionSettings, rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")

_LONGEST_WAIT = 3600.0  # seconds between attempts


def index_document(job: Job) -> None:
    settings = rag_settings().ingestion
    document = job.document
    if document is None:
        finish(job, Job.Status.CANCELLED)
        return
    if job.attempts > settings.max_attempts:
        _fail(
            job,
            document,
            "gave_up",
            _("The worker ended %(n)d times while reading this document.") % {"n": job.attempts - 1}
            + " "
            + _("The file may need more memory than the worker has; split it."),
        )
        return
    Document.objects.filter(pk=document.pk, chunk_count=0).update(status=Document.Status.PROCESSING)
    try:
        ingest(document, settings, ProgressWriter(job))
        catch_up(document)
    except TimeoutException:
        minutes = settings.index_seconds // 60
        _fail(job, document, "too_slow", _("Indexing took longer than %(n)d minutes; split the file.") % {"n": minutes})
        raise  # the queue gives the worker's place to a new one
    except Exception as error:
        drop_broken_connection()
        _settle(job, document, error, settings)
    else:
        finish(job, Job.Status.SUCCEEDED)


def _settle(job: Job, document: Document, error: Exception, settings: IngestionSettings) -> None:
    """Later again if that can help, otherwise failed for good."""
    code, message = _explained(job, error)
    if _may_pass(error) and job.failures < settings.max_retries:
        _say_why(document, code, message, without_chunks=Document.Status.QUEUED)
        retry_later(job, code, message, first=settings.retry_seconds, longest=_LONGEST_WAIT)
    else:
        _fail(job, document, code, message)


def _may_pass(error: Exception) -> bool:
    """Services and databases come back, and disks are given room; what a file says stays."""
    if isinstance(error, KnowledgeTreeError):
        return error.retryable
    return isinstance(error, OperationalError | InterfaceError | OSError) and not isinstance(error, FileNotFoundError)


def _explained(job: Job, error: Exception) -> tuple[str, str]:
    if isinstance(error, KnowledgeTreeError):
        return error.code, str(error)
    log.error("indexing failed", exc_info=error, extra={"fields": {"document": job.document_id}})
    if isinstance(error, OperationalError | InterfaceError):
        return "database", _("The database failed (%(error)s).") % {"error": str(error).partition("\n")[0]}
    if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
        return "storage", _("The original cannot be read (%(error)s).") % {"error": error.strerror or error}
    return "unexpected", _("An unexpected error; the log has it under %(id)s.") % {"id": job.pk.hex}


@transaction.atomic
def _fail(job: Job, document: Document, code: str, message: str) -> None:
    _say_why(document, code, message, without_chunks=Document.Status.FAILED)
    fail(job, code, message)


def _say_why(document: Document, code: str, message: str, *, without_chunks: Document.Status) -> None:
    """A document that has chunks keeps serving them: its last good version is better than none."""
    Document.objects.filter(pk=document.pk).update(error_code=code, error_message=message)
    Document.objects.filter(pk=document.pk, chunk_count=0).update(status=without_chunks)
