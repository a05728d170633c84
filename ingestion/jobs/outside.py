"""Jobs of other apps: what is done stands in `settings.RAG["components"]["jobs"]`, under the kind of the job."""

import logging

from django.db.utils import InterfaceError, OperationalError
from django.utils.translation import gettext as _
from django_q.exceptions import TimeoutException

from ingestion.jobs.ending import ProgressWriter, fail, finish
from ingestion.models import Job
from ingestion.protocols import OutsideJob
from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")

_STAGES = {Job.Kind.MEASUREMENT: Job.Stage.ASKING, Job.Kind.COMMUNITIES: Job.Stage.SUMMARISING}


def run_outside(job: Job) -> None:
    """One that a killed worker left is run again, so many times."""
    if job.attempts > rag_settings().ingestion.max_attempts:
        fail(job, "gave_up", _("The worker ended %(n)d times during this job.") % {"n": job.attempts - 1})
        return
    write = ProgressWriter(job)
    outside: OutsideJob = component("jobs", job.kind)
    stage = _STAGES[Job.Kind(job.kind)]
    write(stage, 0, 0)
    try:
        done = outside.run(job.pk, lambda done, total: write(stage, done, total))
    except TimeoutException:
        fail(job, "too_slow", _too_slow(job))
        raise  # the queue gives the worker's place to a new one
    except (OperationalError, InterfaceError):
        raise  # the database went away: whoever runs jobs knows what to do
    except KnowledgeTreeError as error:
        fail(job, error.code, str(error))
    except Exception:
        log.exception("the job failed", extra={"fields": {"kind": job.kind}})
        fail(job, "unexpected", _("An unexpected error; the log has it under %(id)s.") % {"id": job.pk.hex})
    else:
        finish(job, Job.Status.SUCCEEDED if done else Job.Status.CANCELLED)


def _too_slow(job: Job) -> str:
    if job.kind == Job.Kind.MEASUREMENT:
        return _("It took longer than a job may; choose fewer questions.")
    return _("It took longer than a job may.")
