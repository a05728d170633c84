"""What became of each time that a worker took a job up."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.jobs import Job


class JobAttempt(models.Model):
    """One attempt. What a killed worker left stays open for ever, as nobody could end it: ask
    `ingestion.jobs.attempts.attempts_of`, which knows that.

    A job that works in slices, and lets others go first in between, goes on with the attempt that it began.
    """

    class Outcome(models.TextChoices):
        RUNNING = "running", _("running")
        SUCCEEDED = "succeeded", _("it succeeded")
        FAILED = "failed", _("it failed")
        RETRIED = "retried", _("it failed and is repeated later")
        YIELDED = "yielded", _("it let others go first")
        CANCELLED = "cancelled", _("it was cancelled")
        INTERRUPTED = "interrupted", _("it was interrupted")

    job = models.ForeignKey(Job, models.CASCADE, related_name="log", verbose_name=_("job"))
    started = models.DateTimeField(_("started"))
    claimed = models.DateTimeField(_("claimed"), help_text=_("When its latest slice was started."))
    finished = models.DateTimeField(_("finished"), null=True)
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome.choices, default=Outcome.RUNNING)
    error_code = models.CharField(_("error code"), max_length=60, blank=True)
    error_message = models.TextField(_("error"), blank=True)
    worker = models.CharField(_("worker"), max_length=100)

    class Meta:
        default_permissions = ()  # it is seen with its job
        ordering = ["-started", "-pk"]
        verbose_name = _("attempt of a job")
        verbose_name_plural = _("attempts of jobs")

    def __str__(self) -> str:
        return f"{self.started:%Y-%m-%d %H:%M}: {self.get_outcome_display()}"
