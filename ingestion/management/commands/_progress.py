"""How commands show that documents are being indexed, and what became of them."""

from collections import Counter
from collections.abc import Sequence

from django.core.management.base import OutputWrapper
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ingestion.index.writing import refresh_planner_statistics
from ingestion.jobs import run_job
from ingestion.models import Document, Job


def index_waiting(documents: Sequence[Document], *, quiet: bool = False) -> list[Document]:
    """Run the waiting jobs of `documents` in this process, with a bar on stderr; the documents as they ended."""
    console = Console(stderr=True, quiet=quiet)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=False) as progress:
        task = progress.add_task("Indeksowanie", total=len(documents))
        for document in documents:
            progress.update(task, description=f"{document.file_name[:40]:<40}")
            for job in Job.objects.filter(document=document, status=Job.Status.QUEUED):
                run_job(str(job.pk))
            progress.advance(task)
        progress.update(task, description=f"{'Gotowe':<40}")
    refresh_planner_statistics()
    by_key = Document.objects.in_bulk([document.pk for document in documents])
    return [by_key[document.pk] for document in documents if document.pk in by_key]


def write_report(documents: Sequence[Document], out: OutputWrapper) -> None:
    """Counts by status, then every document that is not ready with what to do about it."""
    statuses = Counter(document.status for document in documents)
    ready = statuses.pop(Document.Status.READY, 0)
    chunks = sum(document.chunk_count for document in documents)
    out.write(f"Gotowe dokumenty: {ready} (fragmentów: {chunks})")
    for status, count in statuses.items():
        out.write(f"{Document.Status(status).label}: {count}")
    for document in documents:
        if document.error_message:
            reason = " – ".join(document.error_message.splitlines())
            out.write(f"  ✗ {document.uri}\n    [{document.error_code}] {reason}")
        for warning in document.warnings:
            out.write(f"  ! {document.uri}\n    {warning}")
