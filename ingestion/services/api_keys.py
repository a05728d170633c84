"""Keys of programs are made, replaced and taken back here; their secrets are told once and stored nowhere."""

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta
from secrets import token_urlsafe

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from ingestion.models import ApiKey, Collection
from ingestion.models.api_keys import PREFIX, SHOWN_CHARACTERS
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record_strictly
from knowledgetree.postgres.optional import optional_write

OVERLAP = timedelta(days=7)
"""How long a replaced key goes on, so that its programs can be given the new one in turn."""

_PRECISION = timedelta(minutes=1)  # of the last use: a write for each request would cost more than it tells


@transaction.atomic
def create_key(
    *,
    name: str,
    owner: User,
    scopes: Iterable[str],
    collections: Iterable[Collection] = (),
    rate: str = "",
    expires: datetime | None = None,
) -> tuple[ApiKey, str]:
    """The new key and its secret, which nobody can read again."""
    secret, chosen = f"{PREFIX}{token_urlsafe(32)}", list(collections)
    key = ApiKey.objects.create(
        name=name,
        owner=owner,
        scopes=sorted(scopes),
        rate=rate,
        expires=expires,
        prefix=secret[:SHOWN_CHARACTERS],
        digest=digest_of(secret),
        bound=bool(chosen),
    )
    key.collections.set(chosen)
    return key, secret


@transaction.atomic
def replace_key(key: ApiKey, *, overlap: timedelta = OVERLAP) -> tuple[ApiKey, str]:
    """A new key for the same, and its secret; the old one ends after `overlap`, or earlier where it would have."""
    end = timezone.now() + overlap
    successor = create_key(
        name=key.name,
        owner=key.owner,
        scopes=key.scopes,
        collections=key.collections.all(),
        rate=key.rate,
        expires=key.expires if key.expires is None or key.expires > end else None,
    )
    # A key whose last collection was deleted opens none; its successor must not open all.
    ApiKey.objects.filter(pk=successor[0].pk).update(bound=key.bound)
    ApiKey.objects.filter(pk=key.pk).filter(Q(expires=None) | Q(expires__gt=end)).update(expires=end)
    _record_change(key, "expires", end)
    return successor


@transaction.atomic
def cancel_key(key: ApiKey) -> None:
    """It opens nothing from now on."""
    now = timezone.now()
    if ApiKey.objects.filter(pk=key.pk, revoked=None).update(revoked=now):
        _record_change(key, "revoked", now)


def note_use(key: ApiKey) -> None:
    """Write down that it was used, once a minute at most."""
    now = timezone.now()
    if key.last_used is None or key.last_used < now - _PRECISION:
        with optional_write("the last use of an API key"):
            ApiKey.objects.filter(pk=key.pk).update(last_used=now)


def _record_change(key: ApiKey, field: str, moment: datetime) -> None:
    """What an `update` does django-auditlog does not see."""
    changes = {field: [str(getattr(key, field)), moment.isoformat(timespec="seconds")]}
    record_strictly(AuditEntry.Action.UPDATE, subject=Subject.of(key), details={"changes": changes})


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
