"""Who is due a letter gets one into the outbox, where something is new for them."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from knowledgetree.events.models import Occurrence
from knowledgetree.letters.models import Letter, LetterChoice, LetterItem
from knowledgetree.letters.sections import kinds_for, sections_of
from knowledgetree.postgres.locks import Lock, held_over_transactions

EARLIEST = time(7)
"""Of the day, as the installation's clock has it: digests lie there when people begin to work."""

KEPT_DAYS = 30

Rhythm = LetterChoice.Rhythm


def letters_are_sent() -> bool:
    """Whether there is a server that takes letters, and an address that their links lead to."""
    return bool(settings.EMAIL_HOST and settings.PUBLIC_ADDRESS)


def ensure_choice(user: User) -> LetterChoice:
    """What `user` chose; who chose nothing yet wants a digest a day, from now on."""
    return LetterChoice.objects.get_or_create(user=user)[0]


def write_letters() -> int:
    """Put into the outbox what is due now; how many letters. While another worker does, it is left to that one."""
    if not letters_are_sent():
        return 0
    with held_over_transactions(Lock.LETTERS) as held:
        return sum(_write(user, timezone.localtime()) for user in _recipients()) if held else 0


def forget_old_letters() -> int:
    """Delete what happened and what was sent some weeks ago; how many occurrences."""
    before = timezone.now() - timedelta(days=KEPT_DAYS)
    Letter.objects.filter(written__lt=before).delete()
    return Occurrence.objects.filter(created__lt=before).delete()[0]


def _recipients() -> Iterator[User]:
    yield from User.objects.filter(is_active=True, is_staff=True).exclude(email="").order_by("pk")


@transaction.atomic
def _write(user: User, now: datetime) -> int:
    choice = ensure_choice(user)
    is_digest = _digest_is_due(choice, now)
    if not (is_digest or choice.urgent_at_once):
        return 0
    if is_digest:
        choice.digested = now.date()
        choice.save(update_fields=["digested"])
    new = _news(user, choice, urgent_only=not is_digest)
    if not new:
        return 0
    letter = Letter.objects.create(user=user) if sections_of(user, new) else None
    LetterItem.objects.bulk_create([LetterItem(user=user, occurrence=one, letter=letter) for one in new])
    return int(letter is not None)


def _digest_is_due(choice: LetterChoice, now: datetime) -> bool:
    if choice.rhythm == Rhythm.NEVER or now.time() < EARLIEST:
        return False
    if choice.rhythm == Rhythm.WEEKLY:
        return (choice.digested or date.min) < now.date() - timedelta(days=now.weekday())
    return (choice.digested or date.min) < now.date()


def _news(user: User, choice: LetterChoice, *, urgent_only: bool) -> Sequence[Occurrence]:
    kinds = [kind for kind in kinds_for(user) if kind.event not in choice.declined and (kind.urgent or not urgent_only)]
    happened = Occurrence.objects.filter(event__in=[kind.event for kind in kinds], created__gte=choice.since)
    return list(happened.exclude(items__user=user).order_by("pk"))
