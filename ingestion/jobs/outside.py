"""Jobs of other apps: what is done stands in `settings.RAG["components"]["jobs"]`, under the kind of the job."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.jobs.ending import finish
from ingestion.jobs.slices import Slice, run_slice
from ingestion.models import Job
from ingestion.types import OutsideJob
from knowledgetree.components import component

_STAGES = {
    Job.Kind.MEASUREMENT: Job.Stage.ASKING,
    Job.Kind.COMMUNITIES: Job.Stage.SUMMARISING,
    Job.Kind.OPTIMIZATION: Job.Stage.ASKING,
}


def run_outside(job: Job) -> None:
    """One that a killed worker left is run again, so many times."""
    outside: OutsideJob = component("jobs", job.kind)
    run_slice(job, outside, _OutsideSlice)


class _OutsideSlice(Slice[OutsideJob]):
    kind = "the job"
    logged = ("kind", "job.kind")
    gave_up = gettext_lazy("The worker ended %(n)d times during this job.")

    def advance(self) -> None:
        stage = _STAGES[Job.Kind(self.job.kind)]
        self.write(stage, 0, 0)
        done = self.subject.run(self.job.pk, lambda done, total: self.write(stage, done, total))
        finish(self.job, Job.Status.SUCCEEDED if done else Job.Status.CANCELLED)

    def time_out(self) -> None:
        if self.job.kind == Job.Kind.MEASUREMENT:
            self.fail("too_slow", _("It took longer than a job may; choose fewer questions."))
        else:
            self.fail("too_slow", _("It took longer than a job may."))
