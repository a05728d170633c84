"""Who wants which letters, and the letters on their way."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledgetree.events.models import Occurrence
from knowledgetree.events.registry import AnnouncedEvent


class LetterChoice(models.Model):
    """What an editor wants to be told by letter. `declined` are kept, not chosen, so that kinds of later releases come.

    `digested` is the day of the last digest, also of one that had nothing to say.
    """

    class Rhythm(models.TextChoices):
        NEVER = "never", _("no letters")
        DAILY = "daily", _("once a day")
        WEEKLY = "weekly", _("once a week, on Mondays")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="letter_choice")
    rhythm = models.CharField(max_length=6, choices=Rhythm.choices, default=Rhythm.DAILY)
    urgent_at_once = models.BooleanField(default=False)
    declined = ArrayField(models.CharField(max_length=40, choices=AnnouncedEvent.choices), default=list)
    language = models.CharField(max_length=7, default=settings.LANGUAGE_CODE)
    digested = models.DateField(null=True)
    since = models.DateTimeField(default=timezone.now, help_text="What happened before is not told.")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user}: {self.rhythm}"


class Letter(models.Model):
    """One letter to one person. Its words are written when it is sent; `due`: when to try next, None where it is over.

    Neither sent nor due: given up, and what it would have told waits for the next one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    written = models.DateTimeField(auto_now_add=True)
    due = models.DateTimeField(null=True, default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent = models.DateTimeField(null=True)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["due"], condition=models.Q(due__isnull=False), name="letters_due")]

    def __str__(self) -> str:
        return f"{self.user} {self.written:%Y-%m-%d %H:%M}"


class LetterItem(models.Model):
    """That somebody was told of an occurrence, or will be by `letter`: once, which the table itself sees to.

    Without a letter it was looked at, and there was nothing in it for this person.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    occurrence = models.ForeignKey(Occurrence, models.CASCADE, related_name="items")
    letter = models.ForeignKey(Letter, models.SET_NULL, null=True, related_name="items")

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["user", "occurrence"], name="told_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.occurrence_id}"
