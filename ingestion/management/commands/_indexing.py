"""Documents indexed by the command itself, and what became of them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from ingestion.index.writing import refresh_planner_statistics
from ingestion.jobs import run_job
from ingestion.models import Document, Job
from knowledgetree.console import ProgressBar


def index_waiting(documents: Sequence[Document], progress: ProgressBar) -> list[Document]:
    """Run the waiting jobs of `documents` in this process; the documents as they ended."""
    for done, document in enumerate(documents):
        progress(done, len(documents), doing=f"{document.file_name[:40]:<40}")
        for job in Job.objects.filter(document=document, status=Job.Status.QUEUED):
            run_job(str(job.pk))
    refresh_planner_statistics()
    by_key = Document.objects.in_bulk([document.pk for document in documents])
    return [by_key[document.pk] for document in documents if document.pk in by_key]


def report_lines(documents: Sequence[Document]) -> Iterator[str]:
    """Counts by status, then every document that is not ready with what to do about it."""
    statuses = Counter(document.status for document in documents)
    ready = statuses.pop(Document.Status.READY, 0)
    chunks = sum(document.chunk_count for document in documents)
    yield _("Documents ready: %(ready)d (chunks: %(chunks)d)") % {"ready": ready, "chunks": chunks}
    for status, count in statuses.items():
        yield f"{Document.Status(status).label}: {count}"
    for document in documents:
        if document.error_message:
            reason = " – ".join(document.error_message.splitlines())
            yield f"  ✗ {document.uri}\n    [{document.error_code}] {reason}"
        for warning in document.warnings:
            yield f"  ! {document.uri}\n    {warning}"
