"""What the web processes of an installation must know of each other, and the tables of the rooms around."""

from django.db import models

from knowledgetree.accessibility.models import AccessibilityStatement
from knowledgetree.audit.models import AuditEntry
from knowledgetree.events.models import Occurrence
from knowledgetree.identity.models import DirectoryAccount, DirectoryGroup
from knowledgetree.letters.models import Letter, LetterChoice, LetterItem
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.webhooks.models import DeliveryAttempt, Webhook, WebhookDelivery

__all__ = [
    "AccessibilityStatement",
    "Allowance",
    "AuditEntry",
    "DeliveryAttempt",
    "DirectoryAccount",
    "DirectoryGroup",
    "Letter",
    "LetterChoice",
    "LetterItem",
    "Occurrence",
    "ProcessingRecord",
    "Webhook",
    "WebhookDelivery",
]


class Allowance(models.Model):
    """How far somebody has spent what a rate allows: each spending moves `until` on by the time that it takes to earn.

    `key` is a hash, so that no address and no user name is kept. Rows of the past mean nothing; the night takes them.
    """

    key = models.CharField(max_length=64, primary_key=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key[:8]} until {self.until}"
