"""What was learnt from use, and what was not, and why."""

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.models import EmbeddingSpace


class CalibrationAttempt(models.Model):
    """One night's fit of relevance on marks and thumbs, against what held until then.

    `before` and `after`: {"ece": less is better, "auc": more is better}, each in [0, 1], on questions held out; empty
    where nothing could be fitted. `marks` are those new since the fit before.
    """

    class Outcome(models.TextChoices):
        ADOPTED = "adopted", _("adopted")
        NOT_BETTER = "not_better", _("unchanged: the new weights were worse")
        TOO_FEW = "too_few", _("unchanged: too few questions with or without an answer")

    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="+", verbose_name=_("embedding space"))
    reranker = models.CharField(_("reranker"), max_length=40)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome.choices)
    marks = models.PositiveIntegerField(_("new marks"), default=0)
    questions = models.PositiveIntegerField(_("questions"), default=0)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    created = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name = _("learning of relevance")
        verbose_name_plural = _("learning of relevance")

    def __str__(self) -> str:
        return gettext("Learning %(number)s") % {"number": self.pk}
