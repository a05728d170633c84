"""Signatures as Standard Webhooks 1 wants them: HMAC-SHA256 over number, time and body, in Base64, marked `v1`."""

import base64
import hashlib
import hmac
from secrets import token_bytes

PREFIX = "whsec_"

_SECRET_BYTES = 32


def new_secret() -> str:
    """As receivers' libraries read it."""
    return PREFIX + base64.b64encode(token_bytes(_SECRET_BYTES)).decode()


def signed_headers(secret: str, *, number: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers of a message; `number` stays through all attempts, `timestamp` (Unix) is that of this one."""
    content = f"{number}.{timestamp}.".encode() + body
    digest = hmac.digest(base64.b64decode(secret.removeprefix(PREFIX)), content, hashlib.sha256)
    return {
        "webhook-id": number,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
