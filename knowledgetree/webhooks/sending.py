"""Messages on their way: claimed, sent, tried again, given up.

At least once: a worker that dies while it sends leaves a message that another one sends again, under the same number,
by which its receiver knows it.
"""

import logging
import random
import time
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from knowledgetree.conf import rag_settings
from knowledgetree.encryption import decrypt_secret
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.fetching.configured import webhook_sender
from knowledgetree.webhooks.announcing import delivery_of, queue_deliveries
from knowledgetree.webhooks.models import DeliveryAttempt, Webhook, WebhookDelivery
from knowledgetree.webhooks.signing import signed_headers

log = logging.getLogger("knowledgetree.webhooks")

Status = WebhookDelivery.Status

WAITS = tuple(timedelta(seconds=s) for s in (30, 5 * 60, 30 * 60, 3 * 3600, 20 * 3600))
"""After each attempt that failed, the wait before the next: six attempts in nearly a day."""

_GONE = 410  # "do not come again", the specification says
_LEASE = timedelta(minutes=2)  # longer than an attempt can take: whoever claimed it is dead after that
_A_MINUTE = 50.0  # seconds: the next one begins where this one stopped
_JITTER = 0.1  # share, so that what failed together does not come back together
_REPLY = 500  # characters


def send_due() -> int:
    """Send what its time has come for, every minute: also what a killed worker left; how many. Not queued: where
    workers are busy each minute would queue the same again.
    """
    end, due = time.monotonic() + _A_MINUTE, _claimable().order_by("due").values_list("pk", flat=True)
    sent = 0
    for key in due:
        if time.monotonic() >= end:
            break
        send_delivery(str(key))
        sent += 1
    return sent


def send_delivery(key: str) -> None:
    """Send the message unless somebody else does or did. Safe to call any number of times."""
    if _claimable().filter(pk=key).update(attempts=F("attempts") + 1, due=timezone.now() + _LEASE):
        _settle(WebhookDelivery.objects.select_related("webhook").get(pk=key))


def send_test(webhook: Webhook) -> DeliveryAttempt:
    """A test message, sent at once and once, also where the webhook is not in use."""
    delivery = delivery_of(webhook, AnnouncedEvent.TEST, {"webhook": webhook.pk})
    delivery.attempts, delivery.due = 1, None  # so that nobody claims it
    delivery.save(force_insert=True)
    attempt = _attempt(delivery)
    delivery.status = Status.DELIVERED if _is_received(attempt) else Status.FAILED
    delivery.save(update_fields=["status"])
    return attempt


@transaction.atomic
def send_again(keys: list[UUID]) -> int:
    """Queue messages anew, whatever became of them, under their old numbers; how many."""
    queue_deliveries(keys)
    return WebhookDelivery.objects.filter(pk__in=keys).update(status=Status.WAITING, attempts=0, due=timezone.now())


def forget_old() -> int:
    """Delete the messages that are over, with their attempts, some weeks after; how many."""
    before = timezone.now() - timedelta(days=rag_settings().webhooks.days)
    return WebhookDelivery.objects.filter(created__lt=before).exclude(status=Status.WAITING).delete()[0]


def _claimable() -> "QuerySet[WebhookDelivery]":
    return WebhookDelivery.objects.filter(status=Status.WAITING, due__lte=timezone.now(), webhook__active=True)


def _settle(delivery: WebhookDelivery) -> None:
    attempt = _attempt(delivery)
    if _is_received(attempt):
        _end(delivery, Status.DELIVERED)
        Webhook.objects.filter(pk=delivery.webhook_id).update(last_success=attempt.at)
    elif delivery.attempts > len(WAITS) or attempt.code == _GONE:
        _end(delivery, Status.FAILED)
        _give_up(delivery, at_once=attempt.code == _GONE)
    else:
        wait = WAITS[delivery.attempts - 1] * random.uniform(1, 1 + _JITTER)  # noqa: S311
        WebhookDelivery.objects.filter(pk=delivery.pk).update(due=attempt.at + wait)


def _end(delivery: WebhookDelivery, status: WebhookDelivery.Status) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(status=status, due=None)


def _give_up(delivery: WebhookDelivery, *, at_once: bool) -> None:
    """Switch the webhook off where it has received nothing since the message was written: for a day, that is."""
    silent = Q(last_success=None) | Q(last_success__lt=delivery.created)
    hook = Webhook.objects.filter(Q() if at_once else silent, pk=delivery.webhook_id, active=True)
    if hook.update(active=False, switched_off=timezone.now()):
        log.warning("a webhook was switched off", extra={"fields": {"webhook": delivery.webhook_id}})


def _is_received(attempt: DeliveryAttempt) -> bool:
    return attempt.code is not None and 200 <= attempt.code < 300


def _attempt(delivery: WebhookDelivery) -> DeliveryAttempt:
    """One request, noted with what came of it."""
    begun = time.monotonic()
    outcome = _posted(delivery)
    milliseconds = round(1000 * (time.monotonic() - begun))
    return DeliveryAttempt.objects.create(delivery=delivery, milliseconds=milliseconds, **outcome)


def _posted(delivery: WebhookDelivery) -> dict[str, str | int]:
    """What the receiver said, or why nothing was heard of it."""
    body = delivery.body.encode()
    try:
        secret = decrypt_secret(delivery.webhook.encrypted_secret)
        signed = signed_headers(secret, number=f"msg_{delivery.pk.hex}", timestamp=int(time.time()), body=body)
        reply = webhook_sender().post(
            delivery.webhook.url, body, headers={"Content-Type": "application/json", **signed}
        )
    except KnowledgeTreeError as error:
        return {"error": str(error)[:_REPLY]}
    return {"code": reply.status, "reply": reply.beginning[:_REPLY].replace("\x00", "")}
