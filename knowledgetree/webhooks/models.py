"""Webhooks, what was sent to each, and every attempt to send it."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledgetree.events.registry import AnnouncedEvent

SUBSCRIBABLE = [choice for choice in AnnouncedEvent.choices if choice[0] != AnnouncedEvent.TEST]


class Webhook(models.Model):
    """An address that messages go to. The secret that they are signed with is encrypted, and shown once.

    `switched_off` says when the program gave it up by itself; a person who switches it on again takes that back.
    """

    name = models.CharField(_("name"), max_length=100, help_text=_("Which program listens."))
    url = models.CharField(
        _("address"), max_length=2000, help_text=_("Where messages are sent (POST), such as https://…")
    )
    events = ArrayField(models.CharField(max_length=40, choices=SUBSCRIBABLE), verbose_name=_("tells"))
    active = models.BooleanField(_("in use"), default=True)
    encrypted_secret = models.TextField(editable=False)
    last_success = models.DateTimeField(_("last received"), null=True, editable=False)
    switched_off = models.DateTimeField(_("given up"), null=True, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(models.Model):
    """A message for one webhook. Written with what it tells of, in one transaction, so that neither is without the
    other; `due` is when to try next, None where it is over.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("received")
        FAILED = "failed", _("not received")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    event = models.CharField(_("tells"), max_length=40, choices=AnnouncedEvent.choices)
    body = models.TextField(_("message"))
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due = models.DateTimeField(_("next attempt"), null=True, default=timezone.now)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name = _("webhook message")
        verbose_name_plural = _("webhook messages")
        indexes = [models.Index(fields=["due"], condition=models.Q(status="waiting"), name="deliveries_due")]

    def __str__(self) -> str:
        return f"{self.get_event_display()}: {self.webhook}"


class DeliveryAttempt(models.Model):
    """What came of one request: the code and the beginning of the reply, or why there was none (`error`)."""

    delivery = models.ForeignKey(WebhookDelivery, models.CASCADE, related_name="log")
    at = models.DateTimeField(_("when"), auto_now_add=True)
    milliseconds = models.PositiveIntegerField(_("milliseconds"))
    code = models.PositiveSmallIntegerField(_("code of the reply"), null=True)
    reply = models.CharField(_("beginning of the reply"), max_length=500, blank=True)
    error = models.CharField(_("error"), max_length=500, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.code or self.error}"
