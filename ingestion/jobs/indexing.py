"""The job that indexes a document."""

import logging

from django.db import transaction
from django.db.utils import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from ingestion.jobs.ending import ProgressWriter, fail, finish
from ingestion.models import Document, Job
from ingestion.pipeline import ingest
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")


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
    except KnowledgeTreeError as error:
        _fail(job, document, error.code, str(error))
    except (OperationalError, InterfaceError):
        raise  # the database went away: the heartbeat stops, and the job is taken up again
    except Exception:
        log.exception("indexing failed", extra={"fields": {"document": document.pk}})
        _fail(job, document, "unexpected", _("An unexpected error; the log has it under %(id)s.") % {"id": job.pk.hex})
    else:
        finish(job, Job.Status.SUCCEEDED)


@transaction.atomic
def _fail(job: Job, document: Document, code: str, message: str) -> None:
    """A document that has chunks keeps serving them: its last good version is better than none."""
    Document.objects.filter(pk=document.pk).update(error_code=code, error_message=message)
    Document.objects.filter(pk=document.pk, chunk_count=0).update(status=Document.Status.FAILED)
    fail(job, code, message)
