"""The job that fills a space and, where that is wished, activates it: slice by slice, so that others get their turn."""

from django.db import transaction
from django.utils.translation import gettext_lazy

from ingestion.jobs.ending import fail, finish, put_back
from ingestion.jobs.renewal import Pace, RenewalSlice
from ingestion.jobs.slices import run_slice
from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.reembedding.activation import pass_gate, switch
from ingestion.renewal.reembedding.filling import fill, wants_vectors
from ingestion.renewal.reembedding.indexing import build_index
from ingestion.types import Progress
from knowledgetree.conf import rag_settings


def reembed(job: Job) -> None:
    run_slice(job, job.space, _ReembeddingSlice)


class _ReembeddingSlice(RenewalSlice[EmbeddingSpace]):
    kind = "re-embedding"
    logged = ("space", "subject.name")
    unexpected = gettext_lazy("The embedder failed: %(error)s. It is tried again by itself; the log has the details.")

    def advance(self) -> None:
        """Fill, index, measure, switch: each step finds by itself what is left to do."""
        space, settings = self.subject, rag_settings().reembedding
        if not fill(space, settings, self._filling_progress(), seconds=settings.slice_seconds):
            self._end()
            return
        self.write(Job.Stage.INDEXING, 0, 0)
        if not build_index(space):
            put_back(self.job, seconds=settings.retry_seconds)
            return
        self.get_on()
        space.refresh_from_db()
        if space.activate_when_full and not space.paused:
            pass_gate(space, lambda done, total: self.write(Job.Stage.MEASURING, done, total))
            switch(space)
        self._end(full=True)

    def _filling_progress(self) -> Progress:
        pace = Pace(self.job)

        def write_filling(done: int, total: int) -> None:
            self.write(Job.Stage.EMBEDDING, done, total, rate=pace.at(done))
            self.get_on()

        return write_filling

    @transaction.atomic
    def _end(self, *, full: bool = False) -> None:
        """Finished, unless something is left to do. Under the lock nobody wishes for more without its being seen."""
        now = self.row.select_for_update(no_key=True).get()
        if not wants_vectors(now):
            finish(self.job, Job.Status.CANCELLED)
        elif not full or now.activate_when_full:
            put_back(self.job)
        else:
            finish(self.job, Job.Status.SUCCEEDED)

    @transaction.atomic
    def fail(self, code: str, message: str) -> None:
        self.row.update(error=message, activate_when_full=False)
        fail(self.job, code, message)
