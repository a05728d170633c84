"""Knowledge gaps: questions about one thing that the documents did not answer, and what is done about them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.models import Document
from rag.models.conversations import Exchange


class KnowledgeGap(models.Model):
    """It holds no copy of what was asked: its name is the question of its first exchange, and goes with it."""

    class Status(models.TextChoices):
        NEW = "new", _("new")
        IN_WORK = "in_work", _("in work")
        ANSWERED = "answered", _("answered")
        DISMISSED = "dismissed", _("dismissed")

    OPEN = (Status.NEW, Status.IN_WORK)

    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.NEW, db_index=True)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("assigned to"),
    )
    task = models.TextField(
        _("task"), blank=True, max_length=4000, help_text=_("What is to be written or found, and where it belongs.")
    )
    note = models.TextField(
        _("note"), blank=True, max_length=4000, help_text=_("What was done, or why nothing is to be done.")
    )
    exchanges = models.ManyToManyField(
        Exchange, related_name="gaps", verbose_name=_("questions"), help_text="Each belongs to one gap at most."
    )
    answered_by = models.ForeignKey(
        Document,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("answered by"),
        help_text="The document that answers it now, where an editor said so.",
    )
    answered = models.DateTimeField(_("answered on"), null=True, blank=True, editable=False)
    reopened = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Asked again in vain after it had been answered."
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    modified = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name = _("knowledge gap")
        verbose_name_plural = _("knowledge gaps")

    def __str__(self) -> str:
        return gettext("Knowledge gap %(number)s") % {"number": self.pk}


class GapReport(models.Model):
    """A reader says that the documents lack an answer: of a user, or of the browser session of an anonymous one."""

    exchange = models.ForeignKey(
        Exchange, models.CASCADE, related_name="reports", verbose_name=_("question"), db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    session_key = models.CharField(max_length=40, blank=True, editable=False)
    comment = models.TextField(_("comment"), blank=True, max_length=500)
    told = models.BooleanField(
        default=False, editable=False, help_text="Its reader has seen that the documents have an answer by now."
    )
    created = models.DateTimeField(_("reported"), auto_now_add=True)

    class Meta:
        ordering = ["-created"]
        verbose_name = _("report of a gap")
        verbose_name_plural = _("reports of gaps")
        constraints = [
            models.UniqueConstraint(
                fields=["exchange", "user"], condition=Q(user__isnull=False), name="one_gap_report_a_user"
            ),
            models.UniqueConstraint(
                fields=["exchange", "session_key"], condition=Q(user__isnull=True), name="one_gap_report_a_session"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exchange}: {self.comment}" if self.comment else str(self.exchange)
