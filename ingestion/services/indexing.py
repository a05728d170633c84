"""The job that indexes a document: made, or the one that waits already."""

from ingestion import jobs
from ingestion.models import Document, Job


def queue_indexing(document: Document, *, enqueue: bool = True) -> Job:
    """The job that will index the document; the one already waiting, if there is one."""
    waiting = Job.objects.filter(document=document, kind=Job.Kind.INDEX_DOCUMENT, status=Job.Status.QUEUED).first()
    if waiting:
        return waiting
    job = Job.objects.create(kind=Job.Kind.INDEX_DOCUMENT, document=document, collection=document.collection)
    if enqueue:
        jobs.enqueue(job)
    return job
