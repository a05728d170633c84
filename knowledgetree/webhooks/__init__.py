"""What happens here, told to other programs as it happens, signed (https://www.standardwebhooks.com)."""

from knowledgetree.webhooks.announcing import announce
from knowledgetree.webhooks.models import WebhookEvent

__all__ = ["WebhookEvent", "announce"]
