"""Letters on their way: claimed, sent, tried again, given up.

A worker that dies while it sends leaves a letter that another one sends. Where it died between the server's "250" and
our note of it, the letter goes out again under the same Message-ID, by which mailboxes know it: SMTP can do no better.
"""

import logging
import random
from datetime import timedelta
from smtplib import SMTPException
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone, translation

from knowledgetree.events.models import Occurrence
from knowledgetree.letters.composing import compose
from knowledgetree.letters.models import Letter
from knowledgetree.letters.sections import sections_of
from knowledgetree.letters.writing import ensure_choice, letters_are_sent, write_letters

log = logging.getLogger("knowledgetree.letters")

WAITS = tuple(timedelta(minutes=m) for m in (1, 10, 60, 4 * 60))
"""After each attempt that failed, the wait before the next: five attempts in a morning."""

_LEASE = timedelta(minutes=3)  # longer than an attempt can take (EMAIL_TIMEOUT a step)
_JITTER = 0.1
_ERROR = 500  # characters


def send_news() -> int:
    """The chore: write what is due and send what waits; how many were sent."""
    write_letters()
    if not letters_are_sent():
        return 0
    return sum(send_letter(key) for key in list(_claimable().order_by("due").values_list("pk", flat=True)))


def send_letter(key: UUID) -> bool:
    """Send the letter unless somebody else does or did; whether it went out. Safe to call any number of times."""
    if not _claimable().filter(pk=key).update(attempts=F("attempts") + 1, due=timezone.now() + _LEASE):
        return False
    letter = Letter.objects.select_related("user").get(pk=key)
    try:
        return _send(letter)
    except (SMTPException, OSError) as error:
        _settle(letter, f"{type(error).__name__}: {error}")
        return False


def _claimable() -> "QuerySet[Letter]":
    return Letter.objects.filter(due__lte=timezone.now())


def _send(letter: Letter) -> bool:
    """By today's rights: what its reader may not see any more, or what is mended, is left out."""
    user: User = letter.user
    language = ensure_choice(user).language
    with translation.override(language):
        sections = sections_of(user, Occurrence.objects.filter(items__letter=letter)) if _is_reached(user) else []
    if not sections:
        letter.delete()
        return False
    compose(user=user, sections=sections, language=language, number=letter.pk, written=letter.written).send()
    Letter.objects.filter(pk=letter.pk).update(sent=timezone.now(), due=None, error="")
    return True


def _is_reached(user: User) -> bool:
    return user.is_active and bool(user.email)


@transaction.atomic
def _settle(letter: Letter, error: str) -> None:
    """Later again, or given up: what it would have told then waits for the next digest."""
    log.warning("a letter was not sent", extra={"fields": {"letter": str(letter.pk), "error": error}})
    over = letter.attempts > len(WAITS)
    wait = None if over else WAITS[letter.attempts - 1] * random.uniform(1, 1 + _JITTER)  # noqa: S311
    due = timezone.now() + wait if wait else None
    Letter.objects.filter(pk=letter.pk).update(due=due, error=error[:_ERROR])
    if over:
        letter.items.all().delete()
