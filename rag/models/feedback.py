"""What readers thought of an answer."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from rag.models.conversations import Exchange


class Feedback(models.Model):
    """One judgement of one reader: of a user, or of the browser session of an anonymous one."""

    class Verdict(models.TextChoices):
        GOOD = "good", _("helpful")
        BAD = "bad", _("not helpful")

    class Reason(models.TextChoices):
        """What is wrong with an answer that does not help."""

        UNTRUE = "untrue", _("it is not true")
        BESIDE = "beside", _("it answers another question")
        INCOMPLETE = "incomplete", _("something important is missing")
        OUTDATED = "outdated", _("it is out of date")
        SOURCE = "source", _("the source says something else")

    exchange = models.ForeignKey(
        Exchange, models.CASCADE, related_name="feedback", verbose_name=_("question"), db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    session_key = models.CharField(max_length=40, blank=True, editable=False)
    verdict = models.CharField(_("reader's judgement"), max_length=4, choices=Verdict.choices)
    reason = models.CharField(_("what is wrong"), max_length=10, choices=Reason.choices, blank=True)
    comment = models.TextField(_("comment"), blank=True, max_length=2000)
    created = models.DateTimeField(_("given"), auto_now_add=True)
    modified = models.DateTimeField(_("changed"), auto_now=True, db_index=True)

    class Meta:
        ordering = ["-modified"]
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        constraints = [
            models.UniqueConstraint(
                fields=["exchange", "user"], condition=Q(user__isnull=False), name="one_feedback_a_user"
            ),
            models.UniqueConstraint(
                fields=["exchange", "session_key"], condition=Q(user__isnull=True), name="one_feedback_a_session"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: {self.exchange}"
