"""Webhooks are made and given other secrets here."""

from collections.abc import Iterable

from knowledgetree.encryption import encrypt_secret
from knowledgetree.webhooks.models import Webhook
from knowledgetree.webhooks.signing import new_secret


def create_webhook(*, name: str, url: str, events: Iterable[str]) -> tuple[Webhook, str]:
    """The new webhook and its secret, which nobody can read again."""
    secret = new_secret()
    hook = Webhook.objects.create(name=name, url=url, events=list(events), encrypted_secret=encrypt_secret(secret))
    return hook, secret


def replace_secret(webhook: Webhook) -> str:
    """The new secret. What was not received meanwhile is sent again for a day, signed with it."""
    secret = new_secret()
    webhook.encrypted_secret = encrypt_secret(secret)
    webhook.save(update_fields=["encrypted_secret"])
    return secret
