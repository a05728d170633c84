"""What acts among the documents order about other acts, and which act each document is."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import Document


class ReadAct(models.Model):
    """A document that was read for amendments, as it was indexed then. `key` names the act that it is, if it is one."""

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="+")
    indexed = models.DateTimeField()
    key = models.CharField(max_length=300, blank=True, db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.key or str(self.document_id)


class Amendment(models.Model):
    """Characters [start, end) of the document's text change the `unit` ("art. 5 ust. 2") of the act of the `key`. Where
    they end the act, `unit` is "" and `day` its last one; None: the eve of when the document comes into force.
    """

    class Change(models.TextChoices):
        WORDED = "worded", _("worded anew")
        REPEALED = "repealed", _("repealed")
        ADDED = "added", _("added")
        WORDS = "words", _("words changed")
        ENDED = "ended", _("ended")

    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    key = models.CharField(max_length=300, db_index=True)
    act = models.CharField(max_length=500)
    unit = models.CharField(max_length=200)
    change = models.CharField(max_length=8, choices=Change.choices)
    day = models.DateField(null=True)

    class Meta:
        ordering = ["document", "start"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.document_id}: {self.unit}, {self.act}"


class LaterUnit(models.Model):
    """Characters [start, end) of the document's text are its `unit`, which comes into force on another `day` than the
    rest, as the document itself says.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    unit = models.CharField(max_length=200)
    day = models.DateField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["document", "start"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.document_id}: {self.unit}, {self.day}"
