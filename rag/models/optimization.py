"""Searches for better parts of a preset, with what they tried."""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import Job
from rag.models.assistants import Assistant
from rag.models.evaluation import EvaluationDataset


class Optimization(models.Model):
    """What is searched for: parts of `preset`, or of those of `assistant`, with which `measure` is higher on `dataset`;
    or another way to split the documents that the questions are about, with the preset as it is.

    `seconds` bound the search, not the questions of the proof. `parts` are those that the assistant had when it began;
    `result` is {} until the held-out questions were asked (`rag.evaluation.optimization.result`). Without a `job` a
    command searches.

    Of a search for a chunking `chunking` is the one in force when it began (as `Collection.chunking` says it), and
    `sample` has the keys of the documents that are split on trial, of `documents` that there were.
    """

    class Tries(models.TextChoices):
        PARTS = "parts", _("parts of the preset")
        CHUNKING = "chunking", _("how documents are split")

    dataset = models.ForeignKey(
        EvaluationDataset, models.CASCADE, related_name="optimizations", verbose_name=_("evaluation dataset")
    )
    tries = models.CharField(_("what is tried"), max_length=10, choices=Tries.choices, default=Tries.PARTS)
    measure = models.CharField(_("measure"), max_length=40)
    preset = models.CharField(_("preset"), max_length=40, blank=True)
    assistant = models.ForeignKey(
        Assistant, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("assistant")
    )
    parts = models.JSONField(_("parts of the preset"), default=dict, blank=True)
    chunking = models.JSONField(default=dict, blank=True)
    sample = models.JSONField(default=list, blank=True)
    documents = models.PositiveIntegerField(default=0)
    seconds = models.PositiveIntegerField(_("limit of time"), validators=[MinValueValidator(1)])
    result = models.JSONField(default=dict, blank=True)
    job = models.OneToOneField(Job, models.CASCADE, null=True, related_name="+", verbose_name=_("job"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("optimisation")
        verbose_name_plural = _("optimisations")
        default_permissions = ()  # whoever may add a run may ask for one

    def __str__(self) -> str:
        return f"{self.dataset}, {self.measure}"


class OptimizationTrial(models.Model):
    """Values that were tried, by name, with their mean on the questions that are searched on, and how long it took."""

    optimization = models.ForeignKey(Optimization, models.CASCADE, related_name="trials")
    values = models.JSONField()
    score = models.FloatField()
    seconds = models.FloatField()

    class Meta:
        ordering = ["pk"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.score:.4f}"
