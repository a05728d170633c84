"""A message for each webhook that wants to know what happened."""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django_q.tasks import async_task

from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.webhooks.models import Webhook, WebhookDelivery

_SEND = "knowledgetree.webhooks.sending.send_delivery"


def write_deliveries(event: AnnouncedEvent, told: dict[str, Any]) -> list[WebhookDelivery]:
    """The messages, part of the caller's transaction. Sent by a worker, at once where one is free."""
    wanting = Webhook.objects.filter(active=True, events__contains=[event])
    deliveries = [delivery_of(webhook, event, told) for webhook in wanting]
    WebhookDelivery.objects.bulk_create(deliveries)
    queue_deliveries(delivery.pk for delivery in deliveries)
    return deliveries


def delivery_of(webhook: Webhook, event: AnnouncedEvent, told: dict[str, Any]) -> WebhookDelivery:
    """Not stored yet. The body is written once, so that every attempt sends the same bytes."""
    message = {"type": event.value, "timestamp": timezone.now().isoformat(), "data": told}
    return WebhookDelivery(webhook=webhook, event=event, body=json.dumps(message, ensure_ascii=False, default=str))


def forget_messages_about(document: int) -> int:
    """Delete the messages that name the document, as an erasure wants it; how many."""
    named = f'"data": {{"document": {document}, '
    return WebhookDelivery.objects.filter(body__contains=named).delete()[0]


def queue_deliveries(keys: Iterable[UUID]) -> None:
    """Tell a worker, once the transaction is committed. If nobody hears it, `send_due` finds them."""
    for key in keys:
        transaction.on_commit(lambda key=key: async_task(_SEND, str(key)))  # type: ignore[misc]
