"""The job of a change of chunking: measure, split slice by slice, measure again, end or turn round."""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from ingestion.jobs.ending import fail, finish, put_back
from ingestion.jobs.renewal import Pace, RenewalSlice
from ingestion.jobs.slices import run_slice
from ingestion.models import Job, Rechunking
from ingestion.renewal.rechunking.batch import Batch, goes_on, rechunk
from ingestion.renewal.rechunking.pending_documents import count_documents
from ingestion.renewal.rechunking.turning import begin, conclude, lock_rechunking
from knowledgetree.conf import rag_settings

_Status = Rechunking.Status


def rechunk_collections(job: Job) -> None:
    run_slice(job, job.rechunking, _RechunkingSlice)


class _RechunkingSlice(RenewalSlice[Rechunking]):
    kind = "re-chunking"
    logged = ("rechunking", "subject.pk")
    unexpected = gettext_lazy("Splitting failed: %(error)s. It is tried again by itself; the log has the details.")

    def advance(self) -> None:
        """Each step finds by itself what is left to do."""
        rechunking, settings = self.subject, rag_settings().reembedding

        def write_measuring(done: int, total: int) -> None:
            self.write(Job.Stage.MEASURING, done, total)

        if goes_on(rechunking):
            begin(rechunking, write_measuring)
        ended = False
        if rechunk(rechunking, settings, self._begin_counting(), seconds=settings.slice_seconds):
            ended = conclude(rechunking, write_measuring)
        self._end(ended=ended)

    def _begin_counting(self) -> Callable[[Batch], None]:
        counts = count_documents(self.subject, rag_settings().ingestion.chunking)
        pace, done = Pace(self.job, counts.done), counts.done

        def count_batch(batch: Batch) -> None:
            nonlocal done
            done = min(done + batch.done, counts.total)
            self.row.update(done=done, total=counts.total, kept=counts.kept, unsplit=self.subject.unsplit)
            self.get_on()
            self.write(Job.Stage.CHUNKING, done, counts.total, rate=pace.at(done))

        self.row.update(done=counts.done, total=counts.total, kept=counts.kept)
        self.write(Job.Stage.CHUNKING, counts.done, counts.total, rate=self.job.rate)
        return count_batch

    @transaction.atomic
    def _end(self, *, ended: bool) -> None:
        """Finished, unless something is left to do. Under the lock nobody wishes for more without its being seen."""
        if lock_rechunking(self.subject).status == _Status.RUNNING:
            put_back(self.job)
        else:
            finish(self.job, Job.Status.SUCCEEDED if ended else Job.Status.CANCELLED)

    @transaction.atomic
    def fail(self, code: str, message: str) -> None:
        running = self.row.filter(status=_Status.RUNNING)
        running.update(error=message, status=_Status.FAILED, finished=timezone.now())
        fail(self.job, code, message)
