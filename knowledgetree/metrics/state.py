"""What the database holds at the moment it is asked: the same numbers from every process."""

from collections.abc import Iterable

from django.db.models import Count, Min, Q, Sum
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ingestion.models import Document, Job
from knowledgetree.readiness import worker_age


class StateCollector(Collector):
    """A few indexed counts a scrape. Raises the database's errors: a scrape that fails is seen, a wrong zero is not."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        yield _by_status("knowledgetree_jobs", "Background jobs by status.", _counts(Job))
        yield GaugeMetricFamily(
            "knowledgetree_job_oldest_queued_seconds", "How long the oldest job that could run has waited.", _waited()
        )
        yield _by_status("knowledgetree_documents", "Documents by status.", _counts(Document))
        ready = Document.objects.filter(status=Document.Status.READY)
        chunks = ready.aggregate(chunks=Sum("chunk_count"))["chunks"] or 0
        yield GaugeMetricFamily("knowledgetree_chunks", "Chunks of the documents that are ready.", chunks)
        if (age := worker_age()) is not None:
            yield GaugeMetricFamily("knowledgetree_worker_age_seconds", "Since a worker's last sign of life.", age)


def _by_status(name: str, help_text: str, counts: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_text, labels=["status"])
    for status, count in counts.items():
        family.add_metric([status], count)
    return family


def _counts(model: type[Job] | type[Document]) -> dict[str, int]:
    """Every status is told, those of nothing as 0: a line that is missing looks like a scrape that failed."""
    found = dict(model._default_manager.order_by().values_list("status").annotate(Count("pk")))
    return {str(status): found.get(status, 0) for status in model.Status.values}


def _waited() -> float:
    """Seconds; a job that waits for its time after a failure does not count before it is due."""
    now = timezone.now()
    may_run = Q(due=None) | Q(due__lte=now)
    oldest = Job.objects.filter(may_run, status=Job.Status.QUEUED).aggregate(oldest=Min("created"))["oldest"]
    return (now - oldest).total_seconds() if oldest else 0.0
