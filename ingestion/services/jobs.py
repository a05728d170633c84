"""What a person may do with a job."""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.errors import JobStateError
from ingestion.jobs import enqueue
from ingestion.models import Document, Job, SyncReport


@transaction.atomic
def retry_job(*, job: Job) -> Job:
    """Try a failed or cancelled job again, with all its attempts. Raises JobStateError for a job in another state."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.status not in {Job.Status.FAILED, Job.Status.CANCELLED}:
        raise JobStateError(_("Only a failed or cancelled job can be tried again."))
    job.status, job.stage, job.attempts, job.done, job.total = Job.Status.QUEUED, Job.Stage.WAITING, 0, 0, 0
    job.error_code = job.error_message = ""
    job.failures, job.due, job.finished = 0, None, None
    try:
        with transaction.atomic():
            job.save()
    except IntegrityError as error:
        raise JobStateError(_("A newer job for the same thing waits already.")) from error
    Document.objects.filter(jobs=job, chunk_count=0).update(
        status=Document.Status.QUEUED, error_code="", error_message=""
    )
    enqueue(job)
    return job


@transaction.atomic
def cancel_job(*, job: Job) -> None:
    """Cancel a job that waits, or that runs: its worker ends it at the next sign of progress. A document that has no
    chunks yet is failed until somebody wants it again. Raises JobStateError where it is too late.
    """
    cancelled = Job.objects.filter(pk=job.pk, status__in=[Job.Status.QUEUED, Job.Status.RUNNING]).update(
        status=Job.Status.CANCELLED, due=None, finished=timezone.now()
    )
    if not cancelled:
        raise JobStateError(_("The job has ended already; it cannot be cancelled."))
    begun = SyncReport.objects.filter(job=job, status=SyncReport.Status.RUNNING)
    begun.update(status=SyncReport.Status.CANCELLED, finished=timezone.now())
    Document.objects.filter(jobs=job, chunk_count=0).update(
        status=Document.Status.FAILED,
        error_code="cancelled",
        error_message=_("Indexing was cancelled. Index the document again when you need it."),
    )
