"""A change of how texts are split, with what was before, so that it can be put back."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ingestion.models.sources import Collection


class RechunkingQuerySet(models.QuerySet["Rechunking"]):
    def unfinished(self) -> "RechunkingQuerySet":
        return self.filter(status__in=Rechunking.UNFINISHED)


class Rechunking(models.Model):
    """The documents of some collections split and embedded anew from their stored texts, while readers search.

    running -> done, or -> rolled back where that was wished or the golden set got worse (`backwards`); paused and
    failed on the way. One `Job` does it. `started`: the new chunking is in force since; before, nothing has changed.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        PAUSED = "paused", _("paused")
        FAILED = "failed", _("failed")
        DONE = "done", _("completed")
        ROLLED_BACK = "rolled_back", _("rolled back")

    UNFINISHED = (Status.RUNNING, Status.PAUSED, Status.FAILED)

    collections = models.ManyToManyField(
        Collection, through="RechunkedCollection", related_name="rechunkings", verbose_name=_("collections")
    )
    status = models.CharField(_("status"), max_length=12, choices=Status.choices, default=Status.RUNNING)
    backwards = models.BooleanField(_("on its way back"), default=False)
    gate = models.CharField(_("golden set"), max_length=100, blank=True)
    gate_margin = models.FloatField(_("tolerated loss of nDCG@10"), default=0.01)
    score_before = models.FloatField(_("nDCG@10 before"), null=True)
    score_after = models.FloatField(_("nDCG@10 after"), null=True)
    done = models.PositiveIntegerField(_("documents done"), default=0)
    total = models.PositiveIntegerField(_("documents"), default=0)
    kept = models.PositiveIntegerField(
        _("left as they were"), default=0,
        help_text=_("Documents with chunks that an editor changed or switched off; splitting would undo that."),
    )  # fmt: skip
    unsplit = models.JSONField(_("could not be split"), default=list, help_text=_("Keys of documents."))
    verdict = models.TextField(_("verdict of the golden set"), blank=True)
    error = models.TextField(_("what went wrong"), blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    started = models.DateTimeField(_("started"), null=True)
    finished = models.DateTimeField(_("finished"), null=True)

    objects = RechunkingQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("change of chunking")
        verbose_name_plural = _("changes of chunking")
        constraints = [
            models.UniqueConstraint(
                models.Value(1),
                condition=Q(status__in=["running", "paused", "failed"]),
                name="one_unfinished_rechunking",
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class RechunkedCollection(models.Model):
    """`before` and `after` are what `Collection.chunking` says; empty: as the settings say."""

    rechunking = models.ForeignKey(Rechunking, models.CASCADE, related_name="parts")
    collection = models.ForeignKey(Collection, models.CASCADE, related_name="+")
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rechunking", "collection"], name="one_part_a_collection")]

    def __str__(self) -> str:
        return f"{self.rechunking_id}/{self.collection_id}"
