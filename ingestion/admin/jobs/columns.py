"""The cells of a job that change while it runs."""

from django.contrib import admin
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingestion.admin.labels import Colour, coloured, moment
from ingestion.models import Job

COLOURS: dict[str, Colour] = {
    "queued": "default",
    "running": "info",
    "succeeded": "success",
    "failed": "danger",
    "cancelled": "warning",
}


OUTCOME_COLOURS: dict[str, Colour] = {
    "running": "info",
    "succeeded": "success",
    "failed": "danger",
    "retried": "warning",
    "yielded": "default",
    "cancelled": "warning",
    "interrupted": "danger",
}


def tries_of(job: Job) -> int:
    """Begun since it was last put in the queue by hand, or got on: also those after which it waits for the next one."""
    return job.attempts + job.failures


@admin.display(description=_("status"), ordering="status")
def status_label(job: Job) -> SafeString:
    return coloured(job.get_status_display(), COLOURS[job.status])


@admin.display(description=_("progress"))
def progress(job: Job) -> SafeString:
    retried = job.status == "queued" and job.failures > 0 and job.due is not None
    context = {"job": job, "running": job.status == "running", "due": moment(job.due) if retried else ""}
    return render_to_string("admin/ingestion/job/progress.html", context)


@admin.display(description=_("attempts"), ordering="attempts")
def tries(job: Job) -> str:
    return str(tries_of(job) or "–")


@admin.display(description=_("last sign of life"), ordering="heartbeat")
def sign_of_life(job: Job) -> str:
    return moment(job.heartbeat)


@admin.display(description=_("created"), ordering="created")
def queued(job: Job) -> str:
    return moment(job.created)


@admin.display(description=_("error and what to do"))
def failure(job: Job) -> SafeString:
    return render_to_string("admin/ingestion/failure.html", {"message": job.error_message, "code": job.error_code})


LIVE = (status_label, progress, tries, sign_of_life, failure)
