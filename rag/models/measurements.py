"""Measurements that somebody asked for on a page, until they have become runs."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import Job
from rag.models.evaluation import EvaluationDataset, EvaluationRun


class Measurement(models.Model):
    """What is to be measured. Its `job` says how far it is and why it failed; `run` is what came of it.

    `limit` 0: all the questions.
    """

    dataset = models.ForeignKey(
        EvaluationDataset, models.CASCADE, related_name="measurements", verbose_name=_("evaluation dataset")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=EvaluationRun.Kind.choices)
    preset = models.CharField(_("preset"), max_length=40, blank=True)
    limit = models.PositiveIntegerField(_("limit of questions"), default=0)
    job = models.OneToOneField(Job, models.CASCADE, related_name="+", verbose_name=_("job"))
    run = models.OneToOneField(
        EvaluationRun, models.SET_NULL, null=True, related_name="+", verbose_name=_("evaluation run")
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("measurement asked for")
        verbose_name_plural = _("measurements asked for")
        default_permissions = ()  # whoever may add a run may ask for one

    def __str__(self) -> str:
        return f"{self.dataset}, {self.get_kind_display()}"


class MeasuredQuestion(models.Model):
    """What a question of a measurement under way came to; gone when the run is stored.

    `key` stands for the question and all that it was measured with: where any of it changes, it is measured again.
    """

    measurement = models.ForeignKey(Measurement, models.CASCADE, related_name="measured")
    key = models.CharField(max_length=64)
    result = models.JSONField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["measurement", "key"], name="measured_once")]

    def __str__(self) -> str:
        return self.key
