"""Something happened: a message for each webhook that wants to know, and a line for the letters."""

from collections.abc import Iterable
from typing import Any

from knowledgetree.events.models import Occurrence
from knowledgetree.events.registry import ONLY_TO_PROGRAMS, AnnouncedEvent
from knowledgetree.webhooks.announcing import write_deliveries
from knowledgetree.webhooks.models import WebhookDelivery


def announce(event: AnnouncedEvent, *, about: Iterable[int] = (), **told: Any) -> list[WebhookDelivery]:
    """Part of the caller's transaction: what is rolled back is not told. Returned are the webhooks' messages.

    `told` becomes their `data`: numbers and names, never texts of documents or questions. `about` are the numbers of
    the rows that a letter reads.
    """
    if event not in ONLY_TO_PROGRAMS:
        Occurrence.objects.create(event=event, numbers=list(about))
    return write_deliveries(event, told)
