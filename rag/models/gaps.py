"""Knowledge gaps: questions about one thing that the documents did not answer, and what is done about them."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

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
