"""What happened, for the letters that will tell of it."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from knowledgetree.events.registry import AnnouncedEvent


class Occurrence(models.Model):
    """An event and the numbers of the rows that it is about. No words are kept: a letter reads them when it is sent, as
    its reader may see them then.
    """

    event = models.CharField(max_length=40, choices=AnnouncedEvent.choices)
    numbers = ArrayField(models.BigIntegerField(), default=list)
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.event} {self.numbers}"
