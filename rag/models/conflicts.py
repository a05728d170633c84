"""Statements of documents that contradict each other, and what editors decided about them.

No text is kept here: a statement is a place in a chunk and a digest of its words, so whoever looks is shown the chunk
as they may read it, and an erased document leaves nothing.
"""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.models import Chunk, Document


class ComparedDocument(models.Model):
    """A document whose statements were compared with those of all others; `digest` says in which wording."""

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="+")
    digest = models.CharField(max_length=32)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.document_id)


class ComparedStatement(models.Model):
    """A sentence: characters [start, end) of the chunk's text, and the `keys` by which others on the same are found.

    In a document it is known by its words (`digest`), whatever chunk has them. Where none has them any more, `chunk` is
    None or a number that is gone: it stays only for what was decided about it.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    chunk = models.ForeignKey(Chunk, models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    digest = models.CharField(max_length=32)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    keys = ArrayField(models.IntegerField())

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["document", "digest"], name="one_statement_a_wording")]
        indexes = [GinIndex(fields=["keys"], name="statement_keys", fastupdate=False)]

    def __str__(self) -> str:
        return f"{self.document_id}: {self.start}–{self.end}"


class Conflict(models.Model):
    """Two statements of two documents that cannot both be true. What is cleared stays so until a side is reworded.

    The values that differ are characters [from, to) of each statement.
    """

    class Kind(models.TextChoices):
        NUMBER = "number", _("another number")
        DATE = "date", _("another date")
        AMOUNT = "amount", _("another amount")
        NAME = "name", _("another person")
        NEGATION = "negation", _("yes and no")

    class Decision(models.TextChoices):
        OPEN = "open", _("not decided")
        FIRST = "first", _("the first is right")
        SECOND = "second", _("the second is right")
        NEITHER = "neither", _("neither is right")
        BY_DATE = "by_date", _("both are right, each at its time")
        BY_UNIT = "by_unit", _("both are right, each for its unit")
        APART = "apart", _("they are not about the same")

    first = models.ForeignKey(ComparedStatement, models.CASCADE, related_name="+")
    second = models.ForeignKey(ComparedStatement, models.CASCADE, related_name="+")
    kind = models.CharField(_("what differs"), max_length=8, choices=Kind.choices)
    first_from = models.PositiveIntegerField()
    first_to = models.PositiveIntegerField()
    second_from = models.PositiveIntegerField()
    second_to = models.PositiveIntegerField()
    decision = models.CharField(_("decision"), max_length=8, choices=Decision.choices, default=Decision.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("decided by")
    )
    decided = models.DateTimeField(_("decided"), null=True, blank=True)
    found = models.DateTimeField(_("found"), auto_now_add=True)

    class Meta:
        ordering = ["-found", "-pk"]
        verbose_name = _("contradiction between documents")
        verbose_name_plural = _("contradictions between documents")
        default_permissions = ()  # whoever keeps the documents clears it
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="one_conflict_a_pair"),
            models.CheckConstraint(condition=Q(first__lt=models.F("second")), name="conflict_in_order"),
        ]

    def __str__(self) -> str:
        return gettext("Contradiction %(number)s") % {"number": self.pk}
